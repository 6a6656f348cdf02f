// Generated from the rules of gitleaks by scripts/generate-secret-rules.ts; do not edit.
//
// gitleaks is under the MIT License:
//
// Copyright (c) 2019 Zachary Rice
//
// Permission is hereby granted, free of charge, to any person obtaining a copy
// of this software and associated documentation files (the "Software"), to deal
// in the Software without restriction, including without limitation the rights
// to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
// copies of the Software, and to permit persons to whom the Software is
// furnished to do so, subject to the following conditions:
//
// The above copyright notice and this permission notice shall be included in all
// copies or substantial portions of the Software.
//
// THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
// IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
// FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
// AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
// LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
// OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
// SOFTWARE.

/** The shape of a secret. */
export interface GitleaksRule {
  readonly id: string;
  /** In lower case: a match begins with one of these or, if `near` is true, has one nearby. */
  readonly keywords: readonly string[];
  readonly near?: true;
  readonly source: string;
  /** The group that captures the secret; default: the first group that matched, else the whole match. */
  readonly group?: number;
  /** A secret has more than this many bits of entropy per character. */
  readonly entropy?: number;
  /** Patterns of matches that are not secrets. */
  readonly allow?: readonly string[];
}

/** The gitleaks commit that the rules come from. @internal */
export const GITLEAKS_COMMIT = "b58d3f102cf3a2c84cb7f923d05c25c9b1aed84b";

/** Rules for which we have hand-written shapes instead. @internal */
export const GITLEAKS_OTHERS: readonly string[] = [
  "curl-auth-header",
  "curl-auth-user",
  "hashicorp-tf-password",
  "kubernetes-secret-yaml",
  "nuget-config-password",
  "pkcs12-file",
  "private-key"
];

/** Matches the text between a name and its value. */
const ASSIGNED = String.raw`(?:[\t \-.0-9A-Z_a-z]{0,20})[\t\n\f\r "']{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[\t\n\f\r "'=\x60]{0,5}`;

export const GITLEAKS_RULES: readonly GitleaksRule[] = [
  { id: "1password-secret-key", keywords: ["a3-"], source: String.raw`(?<![0-9A-Za-z])A3-[0-9A-Z]{6}-(?:(?:[0-9A-Z]{11})|(?:[0-9A-Z]{6}-[0-9A-Z]{5}))-[0-9A-Z]{5}-[0-9A-Z]{5}-[0-9A-Z]{5}\b`, entropy: 3.8 },
  { id: "1password-service-account-token", keywords: ["ops_eyj"], source: String.raw`ops_eyJ[+/-9A-Za-z]{250,512}={0,3}`, entropy: 4 },
  { id: "adafruit-api-key", keywords: ["adafruit"], source: String.raw`(?:[Aa][Dd][Aa][Ff][Rr][Uu][Ii][Tt])${ASSIGNED}([\-0-9A-Z_a-z]{32})(?![0-9A-Z_a-z])` },
  { id: "adobe-client-id", keywords: ["adobe"], source: String.raw`(?:[Aa][Dd][Oo][Bb][Ee])${ASSIGNED}([0-9A-Fa-f]{32})(?![0-9A-Z_a-z])`, entropy: 2 },
  { id: "adobe-client-secret", keywords: ["p8e-"], source: String.raw`(?<![0-9A-Za-z])(p8e-[0-9A-Za-z]{32})(?![0-9A-Z_a-z])`, entropy: 2 },
  { id: "age-secret-key", keywords: ["age-secret-key-1"], source: String.raw`AGE-SECRET-KEY-1[02-9AC-HJ-NP-Z]{58}` },
  { id: "airtable-api-key", keywords: ["airtable"], source: String.raw`(?:[Aa][Ii][Rr][Tt][Aa][Bb][Ll][Ee])${ASSIGNED}([0-9A-Za-z]{17})(?![0-9A-Z_a-z])` },
  { id: "airtable-personnal-access-token", keywords: ["pat"], source: String.raw`(?<![0-9A-Za-z])(pat[0-9A-Za-z]{14}\.[0-9a-f]{64})\b` },
  { id: "algolia-api-key", keywords: ["algolia"], source: String.raw`(?:[Aa][Ll][Gg][Oo][Ll][Ii][Aa])${ASSIGNED}([0-9A-Za-z]{32})(?![0-9A-Z_a-z])` },
  { id: "alibaba-access-key-id", keywords: ["ltai"], source: String.raw`(?<![0-9A-Za-z])(LTAI[0-9A-Za-z]{20})(?![0-9A-Z_a-z])`, entropy: 2 },
  { id: "alibaba-secret-key", keywords: ["alibaba"], source: String.raw`(?:[Aa][Ll][Ii][Bb][Aa][Bb][Aa])${ASSIGNED}([0-9A-Za-z]{30})(?![0-9A-Z_a-z])`, entropy: 2 },
  { id: "anthropic-admin-api-key", keywords: ["sk-ant-admin01-"], source: String.raw`(?<![0-9A-Za-z])(sk-ant-admin01-[\-0-9A-Z_a-z]{93}AA)(?![0-9A-Z_a-z])` },
  { id: "anthropic-api-key", keywords: ["sk-ant-api03-"], source: String.raw`(?<![0-9A-Za-z])(sk-ant-api03-[\-0-9A-Z_a-z]{93}AA)(?![0-9A-Z_a-z])` },
  { id: "artifactory-api-key", keywords: ["akcp"], source: String.raw`(?<![0-9A-Za-z])AKCp[0-9A-Za-z]{69}\b`, entropy: 4.5 },
  { id: "artifactory-reference-token", keywords: ["cmvmd"], source: String.raw`(?<![0-9A-Za-z])cmVmd[0-9A-Za-z]{59}\b`, entropy: 4.5 },
  { id: "asana-client-id", keywords: ["asana"], source: String.raw`(?:[Aa][Ss][Aa][Nn][Aa])${ASSIGNED}([0-9]{16})(?![0-9A-Z_a-z])` },
  { id: "asana-client-secret", keywords: ["asana"], source: String.raw`(?:[Aa][Ss][Aa][Nn][Aa])${ASSIGNED}([0-9A-Za-z]{32})(?![0-9A-Z_a-z])` },
  { id: "atlassian-api-token", keywords: ["atatt3","atlassian","confluence","jira"], source: String.raw`(?:(?:ATLASSIAN|[Aa]tlassian)|(?:CONFLUENCE|[Cc]onfluence)|(?:JIRA|[Jj]ira))${ASSIGNED}([0-9A-Za-z]{20}[0-9A-Fa-f]{4})(?![0-9A-Z_a-z])|\b([Aa][Tt][Aa][Tt][Tt]3[\-0-9=A-Z_a-z]{186})(?![0-9A-Z_a-z])`, entropy: 3.5 },
  { id: "authress-service-client-access-key", keywords: ["authress_","ext_","sc_","scauth_"], source: String.raw`(?<![0-9A-Za-z])((?:sc|ext|scauth|authress)_[0-9A-Za-z]{5,30}\.[0-9A-Za-z]{4,6}\.(?:acc)[\-_][\-0-9A-Za-z]{10,32}\.[+\-/-9=A-Z_a-z]{30,120})(?![0-9A-Z_a-z])`, entropy: 2 },
  { id: "aws-access-token", keywords: ["a3t","abia","acca","akia","asia"], source: String.raw`(?<![0-9A-Za-z])((?:A3T[0-9A-Z]|AKIA|ASIA|ABIA|ACCA)[2-7A-Z]{16})\b`, entropy: 3, allow: [String.raw`[^\n]{1,512}EXAMPLE$`] },
  { id: "aws-amazon-bedrock-api-key-long-lived", keywords: ["absk"], source: String.raw`(?<![0-9A-Za-z])(ABSK[+/-9A-Za-z]{109,269}={0,2})(?![0-9A-Z_a-z])`, entropy: 3 },
  { id: "aws-amazon-bedrock-api-key-short-lived", keywords: ["bedrock-api-key-"], source: String.raw`bedrock-api-key-YmVkcm9jay5hbWF6b25hd3MuY29t`, entropy: 3 },
  { id: "azure-ad-client-secret", keywords: ["q~"], near: true, source: String.raw`(?:^|[\t\n\f\r "'-),:=>\\\x60])([.0-9A-Z_a-z~]{3}[0-9]Q~[\-.0-9A-Z_a-z~]{31,34})(?:$|[\t\n\f\r "'),<\\\x60])`, entropy: 3 },
  { id: "beamer-api-token", keywords: ["beamer"], source: String.raw`(?:[Bb][Ee][Aa][Mm][Ee][Rr])${ASSIGNED}([Bb]_[\-0-9=A-Z_a-z]{44})(?![0-9A-Z_a-z])` },
  { id: "bitbucket-client-id", keywords: ["bitbucket"], source: String.raw`(?:[Bb][Ii][Tt][Bb][Uu][Cc][Kk][Ee][Tt])${ASSIGNED}([0-9A-Za-z]{32})(?![0-9A-Z_a-z])` },
  { id: "bitbucket-client-secret", keywords: ["bitbucket"], source: String.raw`(?:[Bb][Ii][Tt][Bb][Uu][Cc][Kk][Ee][Tt])${ASSIGNED}([\-0-9=A-Z_a-z]{64})(?![0-9A-Z_a-z])` },
  { id: "bittrex-access-key", keywords: ["bittrex"], source: String.raw`(?:[Bb][Ii][Tt][Tt][Rr][Ee][Xx])${ASSIGNED}([0-9A-Za-z]{32})(?![0-9A-Z_a-z])` },
  { id: "bittrex-secret-key", keywords: ["bittrex"], source: String.raw`(?:[Bb][Ii][Tt][Tt][Rr][Ee][Xx])${ASSIGNED}([0-9A-Za-z]{32})(?![0-9A-Z_a-z])` },
  { id: "cisco-meraki-api-key", keywords: ["meraki"], source: String.raw`(?:(?:(?:[Mm]eraki|MERAKI))(?:[\t \-.0-9A-Z_a-z]{0,20})[\t\n\f\r "']{0,3})(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[\t\n\f\r "'=\x60]{0,5}([0-9a-f]{40})(?![0-9A-Z_a-z])`, entropy: 3 },
  { id: "clickhouse-cloud-api-secret-key", keywords: ["4b1d"], source: String.raw`(?<![0-9A-Za-z])(4b1d[0-9A-Za-z]{38})\b`, entropy: 3 },
  { id: "clojars-api-token", keywords: ["clojars_"], source: String.raw`[Cc][Ll][Oo][Jj][Aa][Rr][Ss]_[0-9A-Za-z]{60}`, entropy: 2 },
  { id: "cloudflare-api-key", keywords: ["cloudflare"], source: String.raw`(?:[Cc][Ll][Oo][Uu][Dd][Ff][Ll][Aa][Rr][Ee])${ASSIGNED}([\-0-9A-Z_a-z]{40})(?![0-9A-Z_a-z])`, entropy: 2 },
  { id: "cloudflare-global-api-key", keywords: ["cloudflare"], source: String.raw`(?:[Cc][Ll][Oo][Uu][Dd][Ff][Ll][Aa][Rr][Ee])${ASSIGNED}([0-9A-Fa-f]{37})(?![0-9A-Z_a-z])`, entropy: 2 },
  { id: "cloudflare-origin-ca-key", keywords: ["v1.0-"], source: String.raw`(?<![0-9A-Za-z])(v1\.0-[0-9a-f]{24}-[0-9a-f]{146})(?![0-9A-Z_a-z])`, entropy: 2 },
  { id: "codecov-access-token", keywords: ["codecov"], source: String.raw`(?:[Cc][Oo][Dd][Ee][Cc][Oo][Vv])${ASSIGNED}([0-9A-Za-z]{32})(?![0-9A-Z_a-z])` },
  { id: "cohere-api-token", keywords: ["co_api_key","cohere"], source: String.raw`(?:(?:[Cc][Oo][Hh][Ee][Rr][Ee]|[Cc][Oo]_[Aa][Pp][Ii]_[Kk][Ee][Yy])(?:[\t \-.0-9A-Z_a-z]{0,20})[\t\n\f\r "']{0,3})(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[\t\n\f\r "'=\x60]{0,5}([0-9A-Za-z]{40})(?![0-9A-Z_a-z])`, entropy: 4 },
  { id: "coinbase-access-token", keywords: ["coinbase"], source: String.raw`(?:[Cc][Oo][Ii][Nn][Bb][Aa][Ss][Ee])${ASSIGNED}([\-0-9A-Z_a-z]{64})(?![0-9A-Z_a-z])` },
  { id: "confluent-access-token", keywords: ["confluent"], source: String.raw`(?:[Cc][Oo][Nn][Ff][Ll][Uu][Ee][Nn][Tt])${ASSIGNED}([0-9A-Za-z]{16})(?![0-9A-Z_a-z])` },
  { id: "confluent-secret-key", keywords: ["confluent"], source: String.raw`(?:[Cc][Oo][Nn][Ff][Ll][Uu][Ee][Nn][Tt])${ASSIGNED}([0-9A-Za-z]{64})(?![0-9A-Z_a-z])` },
  { id: "contentful-delivery-api-token", keywords: ["contentful"], source: String.raw`(?:[Cc][Oo][Nn][Tt][Ee][Nn][Tt][Ff][Uu][Ll])${ASSIGNED}([\-0-9=A-Z_a-z]{43})(?![0-9A-Z_a-z])` },
  { id: "databricks-api-token", keywords: ["dapi"], source: String.raw`(?<![0-9A-Za-z])(dapi[0-9a-f]{32}(?:-[0-9])?)(?![0-9A-Z_a-z])`, entropy: 3 },
  { id: "datadog-access-token", keywords: ["datadog"], source: String.raw`(?:[Dd][Aa][Tt][Aa][Dd][Oo][Gg])${ASSIGNED}([0-9A-Za-z]{40})(?![0-9A-Z_a-z])` },
  { id: "defined-networking-api-token", keywords: ["dnkey"], source: String.raw`(?:[Dd][Nn][Kk][Ee][Yy])${ASSIGNED}([Dd][Nn][Kk][Ee][Yy]-[\-0-9=A-Z_a-z]{26}-[\-0-9=A-Z_a-z]{52})(?![0-9A-Z_a-z])` },
  { id: "digitalocean-access-token", keywords: ["doo_v1_"], source: String.raw`(?<![0-9A-Za-z])(doo_v1_[0-9a-f]{64})(?![0-9A-Z_a-z])`, entropy: 3 },
  { id: "digitalocean-pat", keywords: ["dop_v1_"], source: String.raw`(?<![0-9A-Za-z])(dop_v1_[0-9a-f]{64})(?![0-9A-Z_a-z])`, entropy: 3 },
  { id: "digitalocean-refresh-token", keywords: ["dor_v1_"], source: String.raw`(?<![0-9A-Za-z])([Dd][Oo][Rr]_[Vv]1_[0-9A-Fa-f]{64})(?![0-9A-Z_a-z])` },
  { id: "discord-api-token", keywords: ["discord"], source: String.raw`(?:[Dd][Ii][Ss][Cc][Oo][Rr][Dd])${ASSIGNED}([0-9A-Fa-f]{64})(?![0-9A-Z_a-z])` },
  { id: "discord-client-id", keywords: ["discord"], source: String.raw`(?:[Dd][Ii][Ss][Cc][Oo][Rr][Dd])${ASSIGNED}([0-9]{18})(?![0-9A-Z_a-z])`, entropy: 2 },
  { id: "discord-client-secret", keywords: ["discord"], source: String.raw`(?:[Dd][Ii][Ss][Cc][Oo][Rr][Dd])${ASSIGNED}([\-0-9=A-Z_a-z]{32})(?![0-9A-Z_a-z])`, entropy: 2 },
  { id: "doppler-api-token", keywords: ["dp.pt."], source: String.raw`dp\.pt\.[0-9A-Za-z]{43}`, entropy: 2 },
  { id: "droneci-access-token", keywords: ["droneci"], source: String.raw`(?:[Dd][Rr][Oo][Nn][Ee][Cc][Ii])${ASSIGNED}([0-9A-Za-z]{32})(?![0-9A-Z_a-z])` },
  { id: "dropbox-api-token", keywords: ["dropbox"], source: String.raw`(?:[Dd][Rr][Oo][Pp][Bb][Oo][Xx])${ASSIGNED}([0-9A-Za-z]{15})(?![0-9A-Z_a-z])` },
  { id: "dropbox-long-lived-api-token", keywords: ["dropbox"], source: String.raw`(?:[Dd][Rr][Oo][Pp][Bb][Oo][Xx])${ASSIGNED}([0-9A-Za-z]{11}([Aa][Aa][Aa][Aa][Aa][Aa][Aa][Aa][Aa][Aa])[\-0-9=A-Z_a-z]{43})(?![0-9A-Z_a-z])` },
  { id: "dropbox-short-lived-api-token", keywords: ["dropbox"], source: String.raw`(?:[Dd][Rr][Oo][Pp][Bb][Oo][Xx])${ASSIGNED}([Ss][Ll]\.[\-0-9=A-Z_a-z]{135})(?![0-9A-Z_a-z])` },
  { id: "duffel-api-token", keywords: ["duffel_live_","duffel_test_"], source: String.raw`duffel_(?:test|live)_[\-0-9=A-Z_a-z]{43}`, entropy: 2 },
  { id: "dynatrace-api-token", keywords: ["dt0c01."], source: String.raw`dt0c01\.[0-9A-Za-z]{24}\.[0-9A-Za-z]{64}`, entropy: 4 },
  { id: "easypost-api-token", keywords: ["ezak"], source: String.raw`(?<![0-9A-Za-z])EZAK[0-9A-Za-z]{54}\b`, entropy: 2 },
  { id: "easypost-test-api-token", keywords: ["eztk"], source: String.raw`(?<![0-9A-Za-z])EZTK[0-9A-Za-z]{54}\b`, entropy: 2 },
  { id: "etsy-access-token", keywords: ["etsy"], source: String.raw`(?:(?:ETSY|[Ee]tsy))${ASSIGNED}([0-9A-Za-z]{24})(?![0-9A-Z_a-z])`, entropy: 3 },
  { id: "facebook-access-token", keywords: ["facebook"], near: true, source: String.raw`(?<![0-9A-Za-z])([0-9]{15,16}(\||%)[\-0-9A-Z_a-z]{27,40})(?![0-9A-Z_a-z])`, entropy: 3 },
  { id: "facebook-page-access-token", keywords: ["eaac","eaam"], source: String.raw`(?<![0-9A-Za-z])(EAA[CM][0-9A-Za-z]{100,512})(?![0-9A-Z_a-z])`, entropy: 4 },
  { id: "facebook-secret", keywords: ["facebook"], source: String.raw`(?:[Ff][Aa][Cc][Ee][Bb][Oo][Oo][Kk])${ASSIGNED}([0-9A-Fa-f]{32})(?![0-9A-Z_a-z])`, entropy: 3 },
  { id: "fastly-api-token", keywords: ["fastly"], source: String.raw`(?:[Ff][Aa][Ss][Tt][Ll][Yy])${ASSIGNED}([\-0-9=A-Z_a-z]{32})(?![0-9A-Z_a-z])` },
  { id: "finicity-api-token", keywords: ["finicity"], source: String.raw`(?:[Ff][Ii][Nn][Ii][Cc][Ii][Tt][Yy])${ASSIGNED}([0-9A-Fa-f]{32})(?![0-9A-Z_a-z])` },
  { id: "finicity-client-secret", keywords: ["finicity"], source: String.raw`(?:[Ff][Ii][Nn][Ii][Cc][Ii][Tt][Yy])${ASSIGNED}([0-9A-Za-z]{20})(?![0-9A-Z_a-z])` },
  { id: "finnhub-access-token", keywords: ["finnhub"], source: String.raw`(?:[Ff][Ii][Nn][Nn][Hh][Uu][Bb])${ASSIGNED}([0-9A-Za-z]{20})(?![0-9A-Z_a-z])` },
  { id: "flickr-access-token", keywords: ["flickr"], source: String.raw`(?:[Ff][Ll][Ii][Cc][Kk][Rr])${ASSIGNED}([0-9A-Za-z]{32})(?![0-9A-Z_a-z])` },
  { id: "flutterwave-encryption-key", keywords: ["flwseck_test-"], source: String.raw`FLWSECK_TEST-[0-9A-Ha-h]{12}`, entropy: 2 },
  { id: "flutterwave-public-key", keywords: ["flwpubk_test-"], source: String.raw`FLWPUBK_TEST-[0-9A-Ha-h]{32}-[Xx]`, entropy: 2 },
  { id: "flutterwave-secret-key", keywords: ["flwseck_test-"], source: String.raw`FLWSECK_TEST-[0-9A-Ha-h]{32}-[Xx]`, entropy: 2 },
  { id: "flyio-access-token", keywords: ["fm1a_","fm1r_","fm2_","fo1_"], source: String.raw`(?<![0-9A-Za-z])((?:fo1_[\-0-9A-Z_a-z]{43}|fm1[ar]_[+/-9A-Za-z]{100,512}={0,3}|fm2_[+/-9A-Za-z]{100,512}={0,3}))(?![0-9A-Z_a-z])`, entropy: 4 },
  { id: "frameio-api-token", keywords: ["fio-u-"], source: String.raw`fio-u-[\-0-9=A-Z_a-z]{64}` },
  { id: "freemius-secret-key", keywords: ["\"secret_key\"","\"secret_key'","'secret_key\"","'secret_key'"], source: String.raw`["'][Ss][Ee][Cc][Rr][Ee][Tt]_[Kk][Ee][Yy]["'][\t\n\f\r ]{0,512}=>[\t\n\f\r ]{0,512}["']([Ss][Kk]_[^\t\n\f\r ]{29})["']` },
  { id: "freshbooks-access-token", keywords: ["freshbooks"], source: String.raw`(?:[Ff][Rr][Ee][Ss][Hh][Bb][Oo][Oo][Kk][Ss])${ASSIGNED}([0-9A-Za-z]{64})(?![0-9A-Z_a-z])` },
  { id: "gcp-api-key", keywords: ["aiza"], source: String.raw`(?<![0-9A-Za-z])(AIza[\-0-9A-Z_a-z]{35})(?![0-9A-Z_a-z])`, entropy: 4, allow: [String.raw`AIzaSyabcdefghijklmnopqrstuvwxyz1234567`, String.raw`AIzaSyAnLA7NfeLquW1tJFpx_eQCxoX-oo6YyIs`, String.raw`AIzaSyCkEhVjf3pduRDt6d1yKOMitrUEke8agEM`, String.raw`AIzaSyDMAScliyLx7F0NPDEJi1QmyCgHIAODrlU`, String.raw`AIzaSyD3asb-2pEZVqMkmL6M9N6nHZRR_znhrh0`, String.raw`AIzayDNSXIbFmlXbIE6mCzDLQAqITYefhixbX4A`, String.raw`AIzaSyAdOS2zB6NCsk1pCdZ4-P6GBdi_UUPwX7c`, String.raw`AIzaSyASWm6HmTMdYWpgMnjRBjxcQ9CKctWmLd4`, String.raw`AIzaSyANUvH9H9BsUccjsu2pCmEkOPjjaXeDQgY`, String.raw`AIzaSyA5_iVawFQ8ABuTZNUdcwERLJv_a_p4wtM`, String.raw`AIzaSyA4UrcGxgwQFTfaI3no3t7Lt1sjmdnP5sQ`, String.raw`AIzaSyDSb51JiIcB6OJpwwMicseKRhhrOq1cS7g`, String.raw`AIzaSyBF2RrAIm4a0mO64EShQfqfd2AFnzAvvuU`, String.raw`AIzaSyBcE-OOIbhjyR83gm4r2MFCu4MJmprNXsw`, String.raw`AIzaSyB8qGxt4ec15vitgn44duC5ucxaOi4FmqE`, String.raw`AIzaSyA8vmApnrHNFE0bApF4hoZ11srVL_n0nvY`] },
  { id: "generic-api-key", keywords: ["access","api","auth","credential","creds","key","passwd","password","secret","token"], source: String.raw`(?:[Aa][Cc][Cc][Ee][Ss][Ss]|[Aa][Uu][Tt][Hh]|(?:[Aa]pi|API)|[Cc][Rr][Ee][Dd][Ee][Nn][Tt][Ii][Aa][Ll]|[Cc][Rr][Ee][Dd][Ss]|[Kk][Ee][Yy]|[Pp][Aa][Ss][Ss][Ww](?:[Oo][Rr])?[Dd]|[Ss][Ee][Cc][Rr][Ee][Tt]|[Tt][Oo][Kk][Ee][Nn])${ASSIGNED}([\-.0-9=A-Z_a-z]{10,150}|[0-9A-Za-z][+/-9A-Za-z]{11,512}={0,3})(?:[\t\n\f\r "';\x60]|\\[NRnr]|$)`, entropy: 3.5, allow: [String.raw`^[\-.A-Z_a-z]{1,512}$`] },
  { id: "github-app-token", keywords: ["ghs_","ghu_"], source: String.raw`(?:ghu|ghs)_[0-9A-Za-z]{36}`, entropy: 3 },
  { id: "github-fine-grained-pat", keywords: ["github_pat_"], source: String.raw`github_pat_[0-9A-Z_a-z]{82}`, entropy: 3 },
  { id: "github-oauth", keywords: ["gho_"], source: String.raw`gho_[0-9A-Za-z]{36}`, entropy: 3 },
  { id: "github-pat", keywords: ["ghp_"], source: String.raw`ghp_[0-9A-Za-z]{36}`, entropy: 3 },
  { id: "github-refresh-token", keywords: ["ghr_"], source: String.raw`ghr_[0-9A-Za-z]{36}`, entropy: 3 },
  { id: "gitlab-cicd-job-token", keywords: ["glcbt-"], source: String.raw`glcbt-[0-9A-Za-z]{1,5}_[\-0-9A-Z_a-z]{20}`, entropy: 3 },
  { id: "gitlab-deploy-token", keywords: ["gldt-"], source: String.raw`gldt-[\-0-9A-Z_a-z]{20}`, entropy: 3 },
  { id: "gitlab-feature-flag-client-token", keywords: ["glffct-"], source: String.raw`glffct-[\-0-9A-Z_a-z]{20}`, entropy: 3 },
  { id: "gitlab-feed-token", keywords: ["glft-"], source: String.raw`glft-[\-0-9A-Z_a-z]{20}`, entropy: 3 },
  { id: "gitlab-incoming-mail-token", keywords: ["glimt-"], source: String.raw`glimt-[\-0-9A-Z_a-z]{25}`, entropy: 3 },
  { id: "gitlab-kubernetes-agent-token", keywords: ["glagent-"], source: String.raw`glagent-[\-0-9A-Z_a-z]{50}`, entropy: 3 },
  { id: "gitlab-oauth-app-secret", keywords: ["gloas-"], source: String.raw`gloas-[\-0-9A-Z_a-z]{64}`, entropy: 3 },
  { id: "gitlab-pat", keywords: ["glpat-"], source: String.raw`glpat-[\-0-9A-Z_a-z]{20}`, entropy: 3 },
  { id: "gitlab-pat-routable", keywords: ["glpat-"], source: String.raw`(?<![0-9A-Za-z])glpat-[\-0-9A-Z_a-z]{27,300}\.[0-9a-z]{2}[0-9a-z]{7}\b`, entropy: 4 },
  { id: "gitlab-ptt", keywords: ["glptt-"], source: String.raw`glptt-[0-9a-f]{40}`, entropy: 3 },
  { id: "gitlab-rrt", keywords: ["gr1348941"], source: String.raw`GR1348941[\-0-9A-Z_a-z]{20}`, entropy: 3 },
  { id: "gitlab-runner-authentication-token", keywords: ["glrt-"], source: String.raw`glrt-[\-0-9A-Z_a-z]{20}`, entropy: 3 },
  { id: "gitlab-runner-authentication-token-routable", keywords: ["glrt-t"], source: String.raw`(?<![0-9A-Za-z])glrt-t[0-9]_[\-0-9A-Z_a-z]{27,300}\.[0-9a-z]{2}[0-9a-z]{7}\b`, entropy: 4 },
  { id: "gitlab-scim-token", keywords: ["glsoat-"], source: String.raw`glsoat-[\-0-9A-Z_a-z]{20}`, entropy: 3 },
  { id: "gitlab-session-cookie", keywords: ["_gitlab_session="], source: String.raw`_gitlab_session=[0-9a-z]{32}`, entropy: 3 },
  { id: "gitter-access-token", keywords: ["gitter"], source: String.raw`(?:[Gg][Ii][Tt][Tt][Ee][Rr])${ASSIGNED}([\-0-9A-Z_a-z]{40})(?![0-9A-Z_a-z])` },
  { id: "gocardless-api-token", keywords: ["gocardless"], source: String.raw`(?:[Gg][Oo][Cc][Aa][Rr][Dd][Ll][Ee][Ss][Ss])${ASSIGNED}([Ll][Ii][Vv][Ee]_[\-0-9=A-Z_a-z]{40})(?![0-9A-Z_a-z])` },
  { id: "grafana-api-key", keywords: ["eyjrijoi"], source: String.raw`(?<![0-9A-Za-z])([Ee][Yy][Jj][Rr][Ii][Jj][Oo][Ii][0-9A-Za-z]{70,400}={0,3})(?![0-9A-Z_a-z])`, entropy: 3 },
  { id: "grafana-cloud-api-token", keywords: ["glc_"], source: String.raw`(?<![0-9A-Za-z])([Gg][Ll][Cc]_[+/-9A-Za-z]{32,400}={0,3})(?![0-9A-Z_a-z])`, entropy: 3 },
  { id: "grafana-service-account-token", keywords: ["glsa_"], source: String.raw`(?<![0-9A-Za-z])([Gg][Ll][Ss][Aa]_[0-9A-Za-z]{32}_[0-9A-Fa-f]{8})(?![0-9A-Z_a-z])`, entropy: 3 },
  { id: "harness-api-key", keywords: ["pat.","sat."], source: String.raw`(?:pat|sat)\.[\-0-9A-Z_a-z]{22}\.[0-9A-Za-z]{24}\.[0-9A-Za-z]{20}` },
  { id: "hashicorp-tf-api-token", keywords: ["atlasv1"], near: true, source: String.raw`[0-9A-Za-z]{14}\.(?:atlasv1)\.[\-0-9=A-Z_a-z]{60,70}`, entropy: 3.5 },
  { id: "heroku-api-key", keywords: ["heroku"], source: String.raw`(?:[Hh][Ee][Rr][Oo][Kk][Uu])${ASSIGNED}([0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12})(?![0-9A-Z_a-z])` },
  { id: "heroku-api-key-v2", keywords: ["hrku-aa"], source: String.raw`(?<![0-9A-Za-z])((HRKU-AA[\-0-9A-Z_a-z]{58}))(?![0-9A-Z_a-z])`, entropy: 4 },
  { id: "hubspot-api-key", keywords: ["hubspot"], source: String.raw`(?:[Hh][Uu][Bb][Ss][Pp][Oo][Tt])${ASSIGNED}([0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12})(?![0-9A-Z_a-z])` },
  { id: "huggingface-access-token", keywords: ["hf_"], source: String.raw`(?<![0-9A-Za-z])(hf_(?:[A-Za-z]{34}))(?![0-9A-Z_a-z])`, entropy: 2 },
  { id: "huggingface-organization-api-token", keywords: ["api_org_"], source: String.raw`(?<![0-9A-Za-z])(api_org_(?:[A-Za-z]{34}))(?![0-9A-Z_a-z])`, entropy: 2 },
  { id: "infracost-api-token", keywords: ["ico-"], source: String.raw`(?<![0-9A-Za-z])(ico-[0-9A-Za-z]{32})(?![0-9A-Z_a-z])`, entropy: 3 },
  { id: "intercom-api-key", keywords: ["intercom"], source: String.raw`(?:[Ii][Nn][Tt][Ee][Rr][Cc][Oo][Mm])${ASSIGNED}([\-0-9=A-Z_a-z]{60})(?![0-9A-Z_a-z])` },
  { id: "intra42-client-secret", keywords: ["s-s4t2af-","s-s4t2ud-"], source: String.raw`(?<![0-9A-Za-z])(s-s4t2(?:ud|af)-[0-9A-Fa-f]{64})(?![0-9A-Z_a-z])`, entropy: 3 },
  { id: "jfrog-api-key", keywords: ["artifactory","bintray","jfrog","xray"], source: String.raw`(?:[Jj][Ff][Rr][Oo][Gg]|[Aa][Rr][Tt][Ii][Ff][Aa][Cc][Tt][Oo][Rr][Yy]|[Bb][Ii][Nn][Tt][Rr][Aa][Yy]|[Xx][Rr][Aa][Yy])${ASSIGNED}([0-9A-Za-z]{73})(?![0-9A-Z_a-z])` },
  { id: "jfrog-identity-token", keywords: ["artifactory","bintray","jfrog","xray"], source: String.raw`(?:[Jj][Ff][Rr][Oo][Gg]|[Aa][Rr][Tt][Ii][Ff][Aa][Cc][Tt][Oo][Rr][Yy]|[Bb][Ii][Nn][Tt][Rr][Aa][Yy]|[Xx][Rr][Aa][Yy])${ASSIGNED}([0-9A-Za-z]{64})(?![0-9A-Z_a-z])` },
  { id: "jwt", keywords: ["ey"], source: String.raw`(?<![0-9A-Za-z])(ey[0-9A-Za-z]{17,512}\.ey[\-/-9A-Z\\_a-z]{17,512}\.(?:[\-/-9A-Z\\_a-z]{10,512}={0,2})?)(?![0-9A-Z_a-z])`, entropy: 3 },
  { id: "jwt-base64", keywords: ["zxlk"], source: String.raw`(?<![0-9A-Za-z])ZXlK(?:(aGJHY2lPaU)|(aGNIVWlPaU)|(aGNIWWlPaU)|(aGRXUWlPaU)|(aU5qUWlP)|(amNtbDBJanBi)|(amRIa2lPaU)|(bGNHc2lPbn)|(bGJtTWlPaU)|(cWEzVWlPaU)|(cWQyc2lPb)|(cGMzTWlPaU)|(cGRpSTZJ)|(cmFXUWlP)|(clpYbGZiM0J6SWpwY)|(cmRIa2lPaUp)|(dWIyNWpaU0k2)|(d01tTWlP)|(d01uTWlPaU)|(d2NIUWlPaU)|(emRXSWlPaU)|(emRuUWlP)|(MFlXY2lPaU)|(MGVYQWlPaUp)|(MWNtd2l)|(MWMyVWlPaUp)|(MlpYSWlPaU)|(MlpYSnphVzl1SWpv)|(NElqb2)|(NE5XTWlP)|(NE5YUWlPaU)|(NE5YUWpVekkxTmlJNkl)|(NE5YVWlPaU)|(NmFYQWlPaU))[\n\r+\-/-9A-Z\\_a-z]{40,512}={0,2}`, group: 0, entropy: 2 },
  { id: "kraken-access-token", keywords: ["kraken"], source: String.raw`(?:[Kk][Rr][Aa][Kk][Ee][Nn])${ASSIGNED}([+\-/-9=A-Z_a-z]{80,90})(?![0-9A-Z_a-z])` },
  { id: "kucoin-access-token", keywords: ["kucoin"], source: String.raw`(?:[Kk][Uu][Cc][Oo][Ii][Nn])${ASSIGNED}([0-9A-Fa-f]{24})(?![0-9A-Z_a-z])` },
  { id: "kucoin-secret-key", keywords: ["kucoin"], source: String.raw`(?:[Kk][Uu][Cc][Oo][Ii][Nn])${ASSIGNED}([0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12})(?![0-9A-Z_a-z])` },
  { id: "launchdarkly-access-token", keywords: ["launchdarkly"], source: String.raw`(?:[Ll][Aa][Uu][Nn][Cc][Hh][Dd][Aa][Rr][Kk][Ll][Yy])${ASSIGNED}([\-0-9=A-Z_a-z]{40})(?![0-9A-Z_a-z])` },
  { id: "linear-api-key", keywords: ["lin_api_"], source: String.raw`lin_api_[0-9A-Za-z]{40}`, entropy: 2 },
  { id: "linear-client-secret", keywords: ["linear"], source: String.raw`(?:[Ll][Ii][Nn][Ee][Aa][Rr])${ASSIGNED}([0-9A-Fa-f]{32})(?![0-9A-Z_a-z])`, entropy: 2 },
  { id: "linkedin-client-id", keywords: ["linked-in","linked_in","linkedin"], source: String.raw`(?:[Ll][Ii][Nn][Kk][Ee][Dd][\-_]?[Ii][Nn])${ASSIGNED}([0-9A-Za-z]{14})(?![0-9A-Z_a-z])`, entropy: 2 },
  { id: "linkedin-client-secret", keywords: ["linked-in","linked_in","linkedin"], source: String.raw`(?:[Ll][Ii][Nn][Kk][Ee][Dd][\-_]?[Ii][Nn])${ASSIGNED}([0-9A-Za-z]{16})(?![0-9A-Z_a-z])`, entropy: 2 },
  { id: "lob-api-key", keywords: ["lob"], source: String.raw`(?:[Ll][Oo][Bb])${ASSIGNED}(([Ll][Ii][Vv][Ee]|[Tt][Ee][Ss][Tt])_[0-9A-Fa-f]{35})(?![0-9A-Z_a-z])` },
  { id: "lob-pub-api-key", keywords: ["lob"], source: String.raw`(?:[Ll][Oo][Bb])${ASSIGNED}(([Tt][Ee][Ss][Tt]|[Ll][Ii][Vv][Ee])_[Pp][Uu][Bb]_[0-9A-Fa-f]{31})(?![0-9A-Z_a-z])` },
  { id: "looker-client-id", keywords: ["looker"], source: String.raw`(?:[Ll][Oo][Oo][Kk][Ee][Rr])${ASSIGNED}([0-9A-Za-z]{20})(?![0-9A-Z_a-z])` },
  { id: "looker-client-secret", keywords: ["looker"], source: String.raw`(?:[Ll][Oo][Oo][Kk][Ee][Rr])${ASSIGNED}([0-9A-Za-z]{24})(?![0-9A-Z_a-z])` },
  { id: "mailchimp-api-key", keywords: ["mailchimp"], source: String.raw`(?:[Mm][Aa][Ii][Ll][Cc][Hh][Ii][Mm][Pp][Ss][Dd][Kk][^\n][Ii][Nn][Ii][Tt][Ii][Aa][Ll][Ii][Zz][Ee]|[Mm][Aa][Ii][Ll][Cc][Hh][Ii][Mm][Pp])${ASSIGNED}([0-9A-Fa-f]{32}-[Uu][Ss][0-9][0-9])(?![0-9A-Z_a-z])` },
  { id: "mailgun-private-api-token", keywords: ["mailgun"], source: String.raw`(?:[Mm][Aa][Ii][Ll][Gg][Uu][Nn])${ASSIGNED}([Kk][Ee][Yy]-[0-9A-Fa-f]{32})(?![0-9A-Z_a-z])` },
  { id: "mailgun-pub-key", keywords: ["mailgun"], source: String.raw`(?:[Mm][Aa][Ii][Ll][Gg][Uu][Nn])${ASSIGNED}([Pp][Uu][Bb][Kk][Ee][Yy]-[0-9A-Fa-f]{32})(?![0-9A-Z_a-z])` },
  { id: "mailgun-signing-key", keywords: ["mailgun"], source: String.raw`(?:[Mm][Aa][Ii][Ll][Gg][Uu][Nn])${ASSIGNED}([0-9A-Ha-h]{32}-[0-9A-Ha-h]{8}-[0-9A-Ha-h]{8})(?![0-9A-Z_a-z])` },
  { id: "mapbox-api-token", keywords: ["mapbox"], source: String.raw`(?:[Mm][Aa][Pp][Bb][Oo][Xx])${ASSIGNED}([Pp][Kk]\.[0-9A-Za-z]{60}\.[0-9A-Za-z]{22})(?![0-9A-Z_a-z])` },
  { id: "mattermost-access-token", keywords: ["mattermost"], source: String.raw`(?:[Mm][Aa][Tt][Tt][Ee][Rr][Mm][Oo][Ss][Tt])${ASSIGNED}([0-9A-Za-z]{26})(?![0-9A-Z_a-z])` },
  { id: "maxmind-license-key", keywords: ["_mmk"], near: true, source: String.raw`(?<![0-9A-Za-z])([0-9A-Za-z]{6}_[0-9A-Za-z]{29}_mmk)(?![0-9A-Z_a-z])`, entropy: 4 },
  { id: "messagebird-api-token", keywords: ["message-bird","message_bird","messagebird"], source: String.raw`(?:[Mm][Ee][Ss][Ss][Aa][Gg][Ee][\-_]?[Bb][Ii][Rr][Dd])${ASSIGNED}([0-9A-Za-z]{25})(?![0-9A-Z_a-z])` },
  { id: "messagebird-client-id", keywords: ["message-bird","message_bird","messagebird"], source: String.raw`(?:[Mm][Ee][Ss][Ss][Aa][Gg][Ee][\-_]?[Bb][Ii][Rr][Dd])${ASSIGNED}([0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12})(?![0-9A-Z_a-z])` },
  { id: "microsoft-teams-webhook", keywords: ["https://"], source: String.raw`https:\/\/[0-9a-z]{1,512}\.webhook\.office\.com\/webhookb2\/[0-9a-z]{8}-([0-9a-z]{4}-){3}[0-9a-z]{12}@[0-9a-z]{8}-([0-9a-z]{4}-){3}[0-9a-z]{12}\/IncomingWebhook\/[0-9a-z]{32}\/[0-9a-z]{8}-([0-9a-z]{4}-){3}[0-9a-z]{12}`, group: 0 },
  { id: "netlify-access-token", keywords: ["netlify"], source: String.raw`(?:[Nn][Ee][Tt][Ll][Ii][Ff][Yy])${ASSIGNED}([\-0-9=A-Z_a-z]{40,46})(?![0-9A-Z_a-z])` },
  { id: "new-relic-browser-api-token", keywords: ["new-relic","new_relic","newrelic"], source: String.raw`(?:[Nn][Ee][Ww]-[Rr][Ee][Ll][Ii][Cc]|[Nn][Ee][Ww][Rr][Ee][Ll][Ii][Cc]|[Nn][Ee][Ww]_[Rr][Ee][Ll][Ii][Cc])${ASSIGNED}([Nn][Rr][Jj][Ss]-[0-9A-Fa-f]{19})(?![0-9A-Z_a-z])` },
  { id: "new-relic-insert-key", keywords: ["new-relic","new_relic","newrelic"], source: String.raw`(?:[Nn][Ee][Ww]-[Rr][Ee][Ll][Ii][Cc]|[Nn][Ee][Ww][Rr][Ee][Ll][Ii][Cc]|[Nn][Ee][Ww]_[Rr][Ee][Ll][Ii][Cc])${ASSIGNED}([Nn][Rr][Ii][Ii]-[\-0-9A-Za-z]{32})(?![0-9A-Z_a-z])` },
  { id: "new-relic-user-api-id", keywords: ["new-relic","new_relic","newrelic"], source: String.raw`(?:[Nn][Ee][Ww]-[Rr][Ee][Ll][Ii][Cc]|[Nn][Ee][Ww][Rr][Ee][Ll][Ii][Cc]|[Nn][Ee][Ww]_[Rr][Ee][Ll][Ii][Cc])${ASSIGNED}([0-9A-Za-z]{64})(?![0-9A-Z_a-z])` },
  { id: "new-relic-user-api-key", keywords: ["new-relic","new_relic","newrelic"], source: String.raw`(?:[Nn][Ee][Ww]-[Rr][Ee][Ll][Ii][Cc]|[Nn][Ee][Ww][Rr][Ee][Ll][Ii][Cc]|[Nn][Ee][Ww]_[Rr][Ee][Ll][Ii][Cc])${ASSIGNED}([Nn][Rr][Aa][Kk]-[0-9A-Za-z]{27})(?![0-9A-Z_a-z])` },
  { id: "notion-api-token", keywords: ["ntn_"], source: String.raw`(?<![0-9A-Za-z])(ntn_[0-9]{11}[0-9A-Za-z]{32}[0-9A-Za-z]{3})(?![0-9A-Z_a-z])`, entropy: 4 },
  { id: "npm-access-token", keywords: ["npm_"], source: String.raw`(?<![0-9A-Za-z])([Nn][Pp][Mm]_[0-9A-Za-z]{36})(?![0-9A-Z_a-z])`, entropy: 2 },
  { id: "nytimes-access-token", keywords: ["new-york-times,","newyorktimes","nytimes"], source: String.raw`(?:[Nn][Yy][Tt][Ii][Mm][Ee][Ss]|[Nn][Ee][Ww]-[Yy][Oo][Rr][Kk]-[Tt][Ii][Mm][Ee][Ss],|[Nn][Ee][Ww][Yy][Oo][Rr][Kk][Tt][Ii][Mm][Ee][Ss])${ASSIGNED}([\-0-9=A-Z_a-z]{32})(?![0-9A-Z_a-z])` },
  { id: "octopus-deploy-api-key", keywords: ["api-"], source: String.raw`(?<![0-9A-Za-z])(API-[0-9A-Z]{26})(?![0-9A-Z_a-z])`, entropy: 3 },
  { id: "okta-access-token", keywords: ["okta"], source: String.raw`(?:(?:(?:[Oo]kta|OKTA))(?:[\t \-.0-9A-Z_a-z]{0,20})[\t\n\f\r "']{0,3})(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[\t\n\f\r "'=\x60]{0,5}(00[\-0-9=A-Z_a-z]{40})(?![0-9A-Z_a-z])`, entropy: 4 },
  { id: "openai-api-key", keywords: ["sk-"], source: String.raw`(?<![0-9A-Za-z])(sk-(?:proj|svcacct|admin)-(?:[\-0-9A-Z_a-z]{74}|[\-0-9A-Z_a-z]{58})T3BlbkFJ(?:[\-0-9A-Z_a-z]{74}|[\-0-9A-Z_a-z]{58})\b|sk-[0-9A-Za-z]{20}T3BlbkFJ[0-9A-Za-z]{20})(?![0-9A-Z_a-z])`, entropy: 3 },
  { id: "openshift-user-token", keywords: ["sha256~"], source: String.raw`(?<![0-9A-Za-z])(sha256~[\-0-9A-Z_a-z]{43})(?:[^\-0-9A-Z_a-z]|$)`, entropy: 3.5 },
  { id: "perplexity-api-key", keywords: ["pplx-"], source: String.raw`(?<![0-9A-Za-z])(pplx-[0-9A-Za-z]{48})(?![0-9A-Z_a-z])`, entropy: 4 },
  { id: "plaid-api-token", keywords: ["plaid"], source: String.raw`(?:[Pp][Ll][Aa][Ii][Dd])${ASSIGNED}([Aa][Cc][Cc][Ee][Ss][Ss]-(?:[Ss][Aa][Nn][Dd][Bb][Oo][Xx]|[Dd][Ee][Vv][Ee][Ll][Oo][Pp][Mm][Ee][Nn][Tt]|[Pp][Rr][Oo][Dd][Uu][Cc][Tt][Ii][Oo][Nn])-[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12})(?![0-9A-Z_a-z])` },
  { id: "plaid-client-id", keywords: ["plaid"], source: String.raw`(?:[Pp][Ll][Aa][Ii][Dd])${ASSIGNED}([0-9A-Za-z]{24})(?![0-9A-Z_a-z])`, entropy: 3.5 },
  { id: "plaid-secret-key", keywords: ["plaid"], source: String.raw`(?:[Pp][Ll][Aa][Ii][Dd])${ASSIGNED}([0-9A-Za-z]{30})(?![0-9A-Z_a-z])`, entropy: 3.5 },
  { id: "planetscale-api-token", keywords: ["pscale_tkn_"], source: String.raw`(?<![0-9A-Za-z])(pscale_tkn_[\-.0-9=A-Z_a-z]{32,64})(?![0-9A-Z_a-z])`, entropy: 3 },
  { id: "planetscale-oauth-token", keywords: ["pscale_oauth_"], source: String.raw`(?<![0-9A-Za-z])(pscale_oauth_[\-.0-9=A-Z_a-z]{32,64})(?![0-9A-Z_a-z])`, entropy: 3 },
  { id: "planetscale-password", keywords: ["pscale_pw_"], source: String.raw`(?<![0-9A-Za-z])([Pp][Ss][Cc][Aa][Ll][Ee]_[Pp][Ww]_[\-.0-9=A-Z_a-z]{32,64})(?![0-9A-Z_a-z])`, entropy: 3 },
  { id: "postman-api-token", keywords: ["pmak-"], source: String.raw`(?<![0-9A-Za-z])(PMAK-[0-9A-Fa-f]{24}-[0-9A-Fa-f]{34})(?![0-9A-Z_a-z])`, entropy: 3 },
  { id: "prefect-api-token", keywords: ["pnu_"], source: String.raw`(?<![0-9A-Za-z])(pnu_[0-9A-Za-z]{36})(?![0-9A-Z_a-z])`, entropy: 2 },
  { id: "privateai-api-token", keywords: ["private-ai","private_ai","privateai"], source: String.raw`(?:(?:[Pp][Rr][Ii][Vv][Aa][Tt][Ee][\-_]?[Aa][Ii])(?:[\t \-.0-9A-Z_a-z]{0,20})[\t\n\f\r "']{0,3})(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[\t\n\f\r "'=\x60]{0,5}([0-9a-z]{32})(?![0-9A-Z_a-z])`, entropy: 3 },
  { id: "pulumi-api-token", keywords: ["pul-"], source: String.raw`(?<![0-9A-Za-z])(pul-[0-9a-f]{40})(?![0-9A-Z_a-z])`, entropy: 2 },
  { id: "pypi-upload-token", keywords: ["pypi-ageichlwas5"], source: String.raw`pypi-AgEIcHlwaS5vcmc[\-0-9A-Z_a-z]{50,1000}`, entropy: 3 },
  { id: "rapidapi-access-token", keywords: ["rapidapi"], source: String.raw`(?:[Rr][Aa][Pp][Ii][Dd][Aa][Pp][Ii])${ASSIGNED}([\-0-9A-Z_a-z]{50})(?![0-9A-Z_a-z])` },
  { id: "readme-api-token", keywords: ["rdme_"], source: String.raw`(?<![0-9A-Za-z])(rdme_[0-9a-z]{70})(?![0-9A-Z_a-z])`, entropy: 2 },
  { id: "rubygems-api-token", keywords: ["rubygems_"], source: String.raw`(?<![0-9A-Za-z])(rubygems_[0-9a-f]{48})(?![0-9A-Z_a-z])`, entropy: 2 },
  { id: "scalingo-api-token", keywords: ["tk-us-"], source: String.raw`(?<![0-9A-Za-z])(tk-us-[\-0-9A-Z_a-z]{48})(?![0-9A-Z_a-z])`, entropy: 2 },
  { id: "sendbird-access-id", keywords: ["sendbird"], source: String.raw`(?:[Ss][Ee][Nn][Dd][Bb][Ii][Rr][Dd])${ASSIGNED}([0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12})(?![0-9A-Z_a-z])` },
  { id: "sendbird-access-token", keywords: ["sendbird"], source: String.raw`(?:[Ss][Ee][Nn][Dd][Bb][Ii][Rr][Dd])${ASSIGNED}([0-9A-Fa-f]{40})(?![0-9A-Z_a-z])` },
  { id: "sendgrid-api-token", keywords: ["sg."], source: String.raw`(?<![0-9A-Za-z])(SG\.[\-.0-9=A-Z_a-z]{66})(?![0-9A-Z_a-z])`, entropy: 2 },
  { id: "sendinblue-api-token", keywords: ["xkeysib-"], source: String.raw`(?<![0-9A-Za-z])(xkeysib-[0-9a-f]{64}-[0-9A-Za-z]{16})(?![0-9A-Z_a-z])`, entropy: 2 },
  { id: "sentry-access-token", keywords: ["sentry"], source: String.raw`(?:[Ss][Ee][Nn][Tt][Rr][Yy])${ASSIGNED}([0-9A-Fa-f]{64})(?![0-9A-Z_a-z])`, entropy: 3 },
  { id: "sentry-org-token", keywords: ["sntrys_eyjpyxqio"], source: String.raw`(?<![0-9A-Za-z])sntrys_eyJpYXQiO[+/-9A-Za-z]{10,200}(?:LCJyZWdpb25fdXJs|InJlZ2lvbl91cmwi|cmVnaW9uX3VybCI6)[+/-9A-Za-z]{10,200}={0,2}_[+/-9A-Za-z]{43}(?:[^+/-9A-Za-z]|$)`, entropy: 4.5 },
  { id: "sentry-user-token", keywords: ["sntryu_"], source: String.raw`(?<![0-9A-Za-z])(sntryu_[0-9a-f]{64})(?![0-9A-Z_a-z])`, entropy: 3.5 },
  { id: "settlemint-application-access-token", keywords: ["sm_aat_"], source: String.raw`(?<![0-9A-Za-z])(sm_aat_[0-9A-Za-z]{16})(?![0-9A-Z_a-z])`, entropy: 3 },
  { id: "settlemint-personal-access-token", keywords: ["sm_pat_"], source: String.raw`(?<![0-9A-Za-z])(sm_pat_[0-9A-Za-z]{16})(?![0-9A-Z_a-z])`, entropy: 3 },
  { id: "settlemint-service-access-token", keywords: ["sm_sat_"], source: String.raw`(?<![0-9A-Za-z])(sm_sat_[0-9A-Za-z]{16})(?![0-9A-Z_a-z])`, entropy: 3 },
  { id: "shippo-api-token", keywords: ["shippo_live_","shippo_test_"], source: String.raw`(?<![0-9A-Za-z])(shippo_(?:live|test)_[0-9A-Fa-f]{40})(?![0-9A-Z_a-z])`, entropy: 2 },
  { id: "shopify-access-token", keywords: ["shpat_"], source: String.raw`shpat_[0-9A-Fa-f]{32}`, entropy: 2 },
  { id: "shopify-custom-access-token", keywords: ["shpca_"], source: String.raw`shpca_[0-9A-Fa-f]{32}`, entropy: 2 },
  { id: "shopify-private-app-access-token", keywords: ["shppa_"], source: String.raw`shppa_[0-9A-Fa-f]{32}`, entropy: 2 },
  { id: "shopify-shared-secret", keywords: ["shpss_"], source: String.raw`shpss_[0-9A-Fa-f]{32}`, entropy: 2 },
  { id: "sidekiq-secret", keywords: ["bundle_enterpris","bundle_gems__con"], source: String.raw`(?:[Bb][Uu][Nn][Dd][Ll][Ee]_[Ee][Nn][Tt][Ee][Rr][Pp][Rr][Ii][Ss][Ee]__[Cc][Oo][Nn][Tt][Rr][Ii][Bb][Ss][Yy][Ss]__[Cc][Oo][Mm]|[Bb][Uu][Nn][Dd][Ll][Ee]_[Gg][Ee][Mm][Ss]__[Cc][Oo][Nn][Tt][Rr][Ii][Bb][Ss][Yy][Ss]__[Cc][Oo][Mm])${ASSIGNED}([0-9A-Fa-f]{8}:[0-9A-Fa-f]{8})(?![0-9A-Z_a-z])` },
  { id: "sidekiq-sensitive-url", keywords: ["http://","https://"], source: String.raw`(?<![0-9A-Za-z])[Hh][Tt][Tt][Pp][Ss]?:\/\/([0-9A-Fa-f]{8}:[0-9A-Fa-f]{8})@(?:[Gg][Ee][Mm][Ss][^\n][Cc][Oo][Nn][Tt][Rr][Ii][Bb][Ss][Yy][Ss][^\n][Cc][Oo][Mm]|[Ee][Nn][Tt][Ee][Rr][Pp][Rr][Ii][Ss][Ee][^\n][Cc][Oo][Nn][Tt][Rr][Ii][Bb][Ss][Yy][Ss][^\n][Cc][Oo][Mm])(?:[#/:?|]|$)` },
  { id: "slack-app-token", keywords: ["xapp-"], source: String.raw`[Xx][Aa][Pp][Pp]-[0-9]-[0-9A-Za-z]{1,512}-[0-9]{1,512}-[0-9A-Za-z]{1,512}`, entropy: 2 },
  { id: "slack-bot-token", keywords: ["xoxb-"], source: String.raw`xoxb-[0-9]{10,13}-[0-9]{10,13}[\-0-9A-Za-z]{0,512}`, entropy: 3 },
  { id: "slack-config-access-token", keywords: ["xoxe"], source: String.raw`[Xx][Oo][Xx][Ee][^\n][Xx][Oo][Xx][BPbp]-[0-9]-[0-9A-Za-z]{163,166}`, entropy: 2 },
  { id: "slack-config-refresh-token", keywords: ["xoxe-"], source: String.raw`[Xx][Oo][Xx][Ee]-[0-9]-[0-9A-Za-z]{146}`, entropy: 2 },
  { id: "slack-legacy-bot-token", keywords: ["xoxb-"], source: String.raw`xoxb-[0-9]{8,14}-[0-9A-Za-z]{18,26}`, entropy: 2 },
  { id: "slack-legacy-token", keywords: ["xoxo-","xoxs-"], source: String.raw`xox[os]-[0-9]{1,512}-[0-9]{1,512}-[0-9]{1,512}-[0-9A-Fa-f]{1,512}`, entropy: 2 },
  { id: "slack-legacy-workspace-token", keywords: ["xoxa-","xoxr-"], source: String.raw`xox[ar]-(?:[0-9]-)?[0-9A-Za-z]{8,48}`, entropy: 2 },
  { id: "slack-user-token", keywords: ["xoxe-","xoxp-"], source: String.raw`xox[ep](?:-[0-9]{10,13}){3}-[\-0-9A-Za-z]{28,34}`, entropy: 2 },
  { id: "slack-webhook-url", keywords: ["hooks","http://hooks","https://hooks"], source: String.raw`(?:https?:\/\/)?hooks[^\n]slack[^\n]com\/(?:services|workflows|triggers)\/[+/-9A-Za-z]{43,56}` },
  { id: "snyk-api-token", keywords: ["snyk"], source: String.raw`(?:[Ss][Nn][Yy][Kk][\-._]?(?:(?:[Aa][Pp][Ii]|[Oo][Aa][Uu][Tt][Hh])[\-._]?)?(?:[Kk][Ee][Yy]|[Tt][Oo][Kk][Ee][Nn]))${ASSIGNED}([0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12})(?![0-9A-Z_a-z])` },
  { id: "sonar-api-token", keywords: ["sonar-login","sonar-token","sonar.login","sonar.token","sonar_login","sonar_token","sonarlogin","sonartoken"], source: String.raw`(?:[Ss][Oo][Nn][Aa][Rr][\-._]?([Ll][Oo][Gg][Ii][Nn]|[Tt][Oo][Kk][Ee][Nn]))${ASSIGNED}((?:[Ss][Qq][Uu]_|[Ss][Qq][Pp]_|[Ss][Qq][Aa]_)?[\-0-9=A-Z_a-z]{40})(?![0-9A-Z_a-z])`, group: 2 },
  { id: "sourcegraph-access-token", keywords: ["sgp_","sourcegraph"], near: true, source: String.raw`(?<![0-9A-Za-z])(\b([Ss][Gg][Pp]_(?:[0-9A-Fa-f]{16}|[Ll][Oo][Cc][Aa][Ll])_[0-9A-Fa-f]{40}|[Ss][Gg][Pp]_[0-9A-Fa-f]{40}|[0-9A-Fa-f]{40})\b)(?![0-9A-Z_a-z])`, entropy: 3 },
  { id: "square-access-token", keywords: ["eaaa","sq0atp-"], source: String.raw`(?<![0-9A-Za-z])((?:EAAA|sq0atp-)[\-0-9A-Z_a-z]{22,60})(?![0-9A-Z_a-z])`, entropy: 2 },
  { id: "squarespace-access-token", keywords: ["squarespace"], source: String.raw`(?:[Ss][Qq][Uu][Aa][Rr][Ee][Ss][Pp][Aa][Cc][Ee])${ASSIGNED}([0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12})(?![0-9A-Z_a-z])` },
  { id: "stripe-access-token", keywords: ["rk_live_","rk_prod_","rk_test_","sk_live_","sk_prod_","sk_test_"], source: String.raw`(?<![0-9A-Za-z])((?:sk|rk)_(?:test|live|prod)_[0-9A-Za-z]{10,99})(?![0-9A-Z_a-z])`, entropy: 2 },
  { id: "sumologic-access-id", keywords: ["sumo"], source: String.raw`(?:(?:(?:[Ss]umo|SUMO))(?:[\t \-.0-9A-Z_a-z]{0,20})[\t\n\f\r "']{0,3})(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[\t\n\f\r "'=\x60]{0,5}(su[0-9A-Za-z]{12})(?![0-9A-Z_a-z])`, entropy: 3 },
  { id: "sumologic-access-token", keywords: ["sumo"], source: String.raw`(?:(?:[Ss]umo|SUMO))${ASSIGNED}([0-9A-Za-z]{64})(?![0-9A-Z_a-z])`, entropy: 3 },
  { id: "telegram-bot-api-token", keywords: ["telegr"], source: String.raw`(?:[Tt][Ee][Ll][Ee][Gg][Rr])${ASSIGNED}([0-9]{5,16}:(?:A)[\-0-9A-Z_a-z]{34})(?![0-9A-Z_a-z])` },
  { id: "travisci-access-token", keywords: ["travis"], source: String.raw`(?:[Tt][Rr][Aa][Vv][Ii][Ss])${ASSIGNED}([0-9A-Za-z]{22})(?![0-9A-Z_a-z])` },
  { id: "twilio-api-key", keywords: ["sk"], source: String.raw`SK[0-9A-Fa-f]{32}`, entropy: 3 },
  { id: "twitch-api-token", keywords: ["twitch"], source: String.raw`(?:[Tt][Ww][Ii][Tt][Cc][Hh])${ASSIGNED}([0-9A-Za-z]{30})(?![0-9A-Z_a-z])` },
  { id: "twitter-access-secret", keywords: ["twitter"], source: String.raw`(?:[Tt][Ww][Ii][Tt][Tt][Ee][Rr])${ASSIGNED}([0-9A-Za-z]{45})(?![0-9A-Z_a-z])` },
  { id: "twitter-access-token", keywords: ["twitter"], source: String.raw`(?:[Tt][Ww][Ii][Tt][Tt][Ee][Rr])${ASSIGNED}([0-9]{15,25}-[0-9A-Za-z]{20,40})(?![0-9A-Z_a-z])` },
  { id: "twitter-api-key", keywords: ["twitter"], source: String.raw`(?:[Tt][Ww][Ii][Tt][Tt][Ee][Rr])${ASSIGNED}([0-9A-Za-z]{25})(?![0-9A-Z_a-z])` },
  { id: "twitter-api-secret", keywords: ["twitter"], source: String.raw`(?:[Tt][Ww][Ii][Tt][Tt][Ee][Rr])${ASSIGNED}([0-9A-Za-z]{50})(?![0-9A-Z_a-z])` },
  { id: "twitter-bearer-token", keywords: ["twitter"], source: String.raw`(?:[Tt][Ww][Ii][Tt][Tt][Ee][Rr])${ASSIGNED}([Aa]{22}[%0-9A-Za-z]{80,100})(?![0-9A-Z_a-z])` },
  { id: "typeform-api-token", keywords: ["typeform"], source: String.raw`(?:[Tt][Yy][Pp][Ee][Ff][Oo][Rr][Mm])${ASSIGNED}([Tt][Ff][Pp]_[\-.0-9=A-Z_a-z]{59})(?![0-9A-Z_a-z])` },
  { id: "vault-batch-token", keywords: ["hvb."], source: String.raw`(?<![0-9A-Za-z])(hvb\.[\-0-9A-Z_a-z]{138,300})(?![0-9A-Z_a-z])`, entropy: 4 },
  { id: "vault-service-token", keywords: ["hvs.","s."], source: String.raw`(?<![0-9A-Za-z])((?:hvs\.[\-0-9A-Z_a-z]{90,120}|s\.(?:[0-9A-Za-z]{24})))(?![0-9A-Z_a-z])`, entropy: 3.5, allow: [String.raw`s\.[A-Za-z]{24}`] },
  { id: "yandex-access-token", keywords: ["yandex"], source: String.raw`(?:[Yy][Aa][Nn][Dd][Ee][Xx])${ASSIGNED}([Tt]1\.[\-0-9A-Z_a-z]{1,512}={0,2}\.[\-0-9A-Z_a-z]{86}={0,2})(?![0-9A-Z_a-z])` },
  { id: "yandex-api-key", keywords: ["yandex"], source: String.raw`(?:[Yy][Aa][Nn][Dd][Ee][Xx])${ASSIGNED}([Aa][Qq][Vv][Nn][\-0-9A-Z_a-z]{35,38})(?![0-9A-Z_a-z])` },
  { id: "yandex-aws-access-token", keywords: ["yandex"], source: String.raw`(?:[Yy][Aa][Nn][Dd][Ee][Xx])${ASSIGNED}([Yy][Cc][\-0-9A-Z_a-z]{38})(?![0-9A-Z_a-z])` },
  { id: "zendesk-secret-key", keywords: ["zendesk"], source: String.raw`(?:[Zz][Ee][Nn][Dd][Ee][Ss][Kk])${ASSIGNED}([0-9A-Za-z]{40})(?![0-9A-Z_a-z])` },
];

/** Words that a generic key never contains. */
export const STOPWORDS: readonly string[] = "000000 6fe4476ee5a1832882e326b506d14126 _ec2_ aaaaaa about abstract academy acces account act- act. act_ action active actively activity adapter add- add-on add. add_ addon addres admin adobe advanced adventure agent agile air- air. air_ ajax akka alert alfred algorithm all- all. all_ alloy alpha amazon amqp analysi analytic analyzer android angular angularj animate animation another ansible answer ant- ant. ant_ any- any. any_ apache app- app. app_ apple arch archive archived arduino array art- art. art_ article asp- asp. asp_ asset async atom attention audio audit aura auth author authorize auto automated automatic awesome aws_ azure back backbone backend backup bar- bar. bar_ base based bash basic batch been beer behavior being benchmark best beta better big- big. big_ binary binding bit- bit. bit_ bitcoin block blog board book bookmark boost boot bootstrap bosh bot- bot. bot_ bower box- box. box_ boxen bracket branch bridge browser brunch buffer bug- bug. bug_ build builder building buildout buildpack built bundle busines but- but. but_ button cache caching cakephp calendar call camera campfire can- can. can_ canva captcha capture card carousel case cassandra cat- cat. cat_ category center cento challenge change changelog channel chart chat cheat check checker chef ches chinese chosen chrome ckeditor clas classe classic clean cli- cli. cli_ client clojure clone closure cloud club cluster cms- cms_ coco code coding coffee color combination combo command commander comment commit common community compas compiler complete component composer computer computing con- con. con_ concept conf config connect connector console contact container contao content contest context control convert converter conway' cookbook cookie cool copy cordova core couchbase couchdb countdown counter course craft crawler create creating creator credential crm- crm. crm_ cros crud csv- csv. csv_ cube cucumber cuda current currently custom daemon dark dart dash dashboard data database date day- day. day_ dead debian debug debugger deck define del- del. del_ delete demo deploy design designer desktop detection detector dev- dev. dev_ develop developer device devise diff digital directive directory discovery display django dns- dns_ doc- doc. doc_ docker docpad doctrine document doe- doe. doe_ dojo dom- dom. dom_ domain don't done dot- dot. dot_ dotfile download draft drag drill drive driven driver drop dropbox drupal dsl- dsl. dsl_ dynamic easy ecdsa eclipse edit editing edition editor element emac email embed embedded ember emitter emulator encoding endpoint engine english enhanced entity entry env_ episode erlang error espresso event evented example exchange exercise experiment expire exploit explorer export exporter expres ext- ext. ext_ extended extension external extra extractor fabric facebook factory fake fast feature feed fewfwef ffmpeg field file filter find finder firefox firmware first fish fix- fix_ flash flask flat flex flexible flickr flow fluent fluentd fluid folder font force foreman fork form format formatter forum foundry framework free friend friendly front-end frontend ftp- ftp. ftp_ fuel full fun- fun. fun_ func future gaia gallery game gateway gem- gem. gem_ gen- gen. gen_ general generator generic genetic get- get. get_ getenv getting ghost gist git- git. git_ github gitignore gitlab glas gmail gnome gnu- gnu. gnu_ goal golang gollum good google gpu- gpu. gpu_ gradle grail graph graphic great grid groovy group grunt guard gui- gui. gui_ guide guideline gulp gwt- gwt. gwt_ hack hackathon hacker hacking hadoop haml handler hardware has- has_ hash haskell have haxe hello help helper here hero heroku high hipchat history home homebrew homepage hook host hosting hot- hot. hot_ house how- how. how_ html http hub- hub. hub_ hubot human icon ide- ide. ide_ idea identity idiomatic image impact import important importer impres index infinite info injection inline input inside inspector instagram install installer instant intellij interface internet interview into intro ionic iphone ipython irc- irc_ iso- iso. iso_ issue jade jasmine java jbos jekyll jenkin jetbrains job- job. job_ joomla jpa- jpa. jpa_ jquery json just kafka karma kata kernel keyboard kindle kit- kit. kit_ kitchen knife koan kohana lab- lab. lab_ lambda lamp language laravel last latest latex launcher layer layout lazy ldap leaflet league learn learning led- led. led_ leetcode les- les. les_ level leveldb lib- lib. lib_ librarie library license life liferay light lightbox like line link linked linkedin linux lisp list lite little load loader local location lock log- log. log_ logger logging logic login logstash longer look love lua- lua. lua_ mac- mac. mac_ machine made magento magic mail make maker making man- man. man_ manage manager manifest manual map- map. map_ mapper mapping markdown markup master math matrix maven md5 mean media mediawiki meetup memcached memory menu merchant message messaging meta metadata meteor method metric micro middleman migration minecraft miner mini minimal mirror mit- mit. mit_ mobile mocha mock mod- mod. mod_ mode model modern modular module modx money mongo mongodb mongoid mongoose monitor monkey more motion moved movie mozilla mqtt mule multi multiple music mustache mvc- mvc. mvc_ mysql nagio name native need neo- neo. neo_ nest nested net- net. net_ nette network new- new. new_ next nginx ninja nlp- nlp. nlp_ node nodej nosql not- not. not_ note notebook notepad notice notifier now- now. now_ number oauth object objective obsolete ocaml octopres official old- old. old_ onboard online only open opencv opengl openshift openwrt option oracle org- org. org_ origin original orm- orm. orm_ osx- osx_ our- our. our_ out- out. out_ output over overview own- own. own_ pack package packet page panel paper paperclip para parallax parallel parse parser parsing particle party password patch path pattern payment paypal pdf- pdf. pdf_ pebble people perl personal phalcon phoenix phone phonegap photo php- php. php_ physic picker pipeline platform play player please plu- plu. plu_ plug-in plugin plupload png- png. png_ poker polyfill polymer pool pop- pop. pop_ popcorn popup port portable portal portfolio post power powered powerful prelude pretty preview principle print pro- pro. pro_ problem proc product profile profiler program progres project protocol prototype provider proxy public pull puppet pure purpose push pusher pyramid python quality query queue quick rabbitmq rack radio rail railscast random range raspberry rdf- rdf. rdf_ react reactive read reader readme ready real real-time reality realtime recipe recorder red- red. red_ reddit redi redmine reference refinery refresh registry related release remote rendering repo report request require required requirej research resource response resque rest restful resume reveal reverse review riak rich right ring robot role room router routing rpc- rpc. rpc_ rpg- rpg. rpg_ rspec ruby- ruby. ruby_ rule run- run. run_ runner running runtime rust rvm- rvm. rvm_ salt sample sandbox sas- sas. sas_ sbt- sbt. sbt_ scala scalable scanner schema scheme school science scraper scratch screen script scroll scs- scs. scs_ sdk- sdk. sdk_ sdl- sdl. sdl_ search secure security see- see. see_ seed select selector selenium semantic sencha send sentiment serie server service session set- set. set_ setting setup sha1 sha2 sha256 share shared sharing sheet shell shield shipping shop shopify shortener should show showcase side silex simple simulator single site skeleton sketch skin slack slide slider slim small smart smtp snake snapshot snippet soap social socket software solarized solr solution solver some soon source space spark spatial spec sphinx spine spotify spree spring sprite sql- sql. sql_ sqlite ssh- ssh. ssh_ stack staging standard stanford start started starter startup stat statamic state static statistic statsd statu steam step still stm- stm. stm_ storage store storm story strategy stream streaming string stripe structure studio study stuff style sublime sugar suite summary super support supported svg- svg. svg_ svn- svn. svn_ swagger swift switch switcher symfony symphony sync synopsi syntax system tab- tab. tab_ table tag- tag. tag_ talk target task tcp- tcp. tcp_ tdd- tdd. tdd_ team tech template term terminal testing tetri text textmate theme theory three thrift time timeline timer tiny tinymce tip- tip. tip_ title todo todomvc token tool toolbox toolkit top- top. top_ tornado touch tower tracker tracking traffic training transfer translate transport tree trello try- try. try_ tumblr tut- tut. tut_ tutorial tweet twig twitter type typo ubuntu uiview ultimate under unit unity universal unix update updated upgrade upload uploader uri- uri. uri_ url- url. url_ usage usb- usb. usb_ use- use. use_ used useful user using util utilitie utility vagrant validator value variou varnish version via- via. via_ video view viewer vim- vim. vim_ vimrc virtual vision visual vpn want warning watch watcher wave way- way. way_ weather web- web_ webapp webgl webhook webkit webrtc website websocket welcome what what' when where which why- why. why_ widget wifi wiki win- win. win_ window wip- wip. wip_ within without wizard word wordpres work worker workflow working workshop world wrapper write writer writing written www- www. www_ xamarin xcode xml- xml. xml_ xmpp xxxxxx yahoo yaml yandex yeoman yet- yet. yet_ yii- yii. yii_ youtube yui- yui. yui_ zend zero zip- zip. zip_ zsh- zsh. zsh_".split(" ");

/** Matches names that look like the name of a key but are not. */
export const ORDINARY_NAMES: string = String.raw`(?:[Aa][Cc][Cc][Ee][Ss][Ss](?:[Ii][Bb][Ii][Ll][Ii][Tt][Yy]|[Oo][Rr])|[Aa][Cc][Cc][Ee][Ss][Ss][\-._]?[Ii][Dd]|[Rr][Aa][Nn][Dd][Oo][Mm][\-._]?[Aa][Cc][Cc][Ee][Ss][Ss]|[Aa][Pp][Ii][\-._]?(?:[Ii][Dd]|[Nn][Aa][Mm][Ee]|[Vv][Ee][Rr][Ss][Ii][Oo][Nn])|[Rr][Aa][Pp][Ii][Dd]|[Cc][Aa][Pp][Ii][Tt][Aa][Ll]|[\-0-9A-Za-z]{0,512}?[Aa][Pp][Ii][\-0-9A-Za-z]{0,512}?:[Jj][Aa][Rr]:|[Aa][Uu][Tt][Hh][Oo][Rr]|[Xx]-[Mm][Ss]-[Ee][Xx][Cc][Hh][Aa][Nn][Gg][Ee]-[Oo][Rr][Gg][Aa][Nn][Ii][Zz][Aa][Tt][Ii][Oo][Nn]-[Aa][Uu][Tt][Hh]|[Aa][Uu][Tt][Hh][Ee][Nn][Tt][Ii][Cc][Aa][Tt][Ii][Oo][Nn]-[Rr][Ee][Ss][Uu][Ll][Tt][Ss]|(?:[Cc][Rr][Ee][Dd][Ee][Nn][Tt][Ii][Aa][Ll][Ss]?[\-._]?[Ii][Dd]|[Ww][Ii][Tt][Hh][Cc][Rr][Ee][Dd][Ee][Nn][Tt][Ii][Aa][Ll][Ss])|(?:[Bb][Uu][Cc][Kk][Ee][Tt]|[Ff][Oo][Rr][Ee][Ii][Gg][Nn]|[Hh][Oo][Tt]|[Ii][Dd][Xx]|[Nn][Aa][Tt][Uu][Rr][Aa][Ll]|[Pp][Rr][Ii][Mm][Aa][Rr][Yy]|[Pp][Uu][Bb](?:[Ll][Ii][Cc])?|[Ss][Cc][Hh][Ee][Mm][Aa]|[Ss][Ee][Qq][Uu][Ee][Nn][Cc][Ee])[\-._]?[Kk][Ee][Yy]|(?:[Tt][Uu][Rr][Kk][Ee][Yy])|[Kk][Ee][Yy][\-._]?(?:[Aa][Ll][Ii][Aa][Ss]|[Bb][Oo][Aa][Rr][Dd]|[Cc][Oo][Dd][Ee]|[Ff][Rr][Aa][Mm][Ee]|[Ii][Dd]|[Ll][Ee][Nn][Gg][Tt][Hh]|[Mm][Ee][Ss][Hh]|[Nn][Aa][Mm][Ee]|[Pp][Aa][Ii][Rr]|[Pp][Rr][Ee][Ss][Ss](?:[Ee][Dd])?|[Rr][Ii][Nn][Gg]|[Ss][Ee][Ll][Ee][Cc][Tt][Oo][Rr]|[Ss][Ii][Gg][Nn][Aa][Tt][Uu][Rr][Ee]|[Ss][Ii][Zz][Ee]|[Ss][Tt][Oo][Nn][Ee]|[Ss][Tt][Oo][Rr][Ee][Tt][Yy][Pp][Ee]|[Ww][Oo][Rr][Dd]|[Uu][Pp]|[Dd][Oo][Ww][Nn]|[Ll][Ee][Ff][Tt]|[Rr][Ii][Gg][Hh][Tt])|[Kk][Ee][Yy][\-._]?[Vv][Aa][Uu][Ll][Tt][\-._]?(?:[Ii][Dd]|[Nn][Aa][Mm][Ee])|[Kk][Ee][Yy][Vv][Aa][Uu][Ll][Tt][Tt][Oo][Ss][Tt][Oo][Rr][Ee][Ss][Ee][Cc][Rr][Ee][Tt][Ss]|[Kk][Ee][Yy](?:[Ss][Tt][Oo][Rr][Ee]|[Tt][Aa][Bb])[\-._]?(?:[Ff][Ii][Ll][Ee]|[Pp][Aa][Tt][Hh])|[Ii][Ss][Ss][Uu][Ee][Rr][Kk][Ee][Yy][Hh][Aa][Ss][Hh]|(?:[DMdm]onkey|[DM]ONKEY)|[Kk][Ee][Yy][Ii][Nn][Gg]|(?:[Ss][Ee][Cc][Rr][Ee][Tt])[\-._]?(?:[Ll][Ee][Nn][Gg][Tt][Hh]|[Nn][Aa][Mm][Ee]|[Ss][Ii][Zz][Ee])|[Uu][Ss][Ee][Rr][Ss][Ee][Cc][Rr][Ee][Tt][Ss][Ii][Dd]|(?:[Cc][Ss][Rr][Ff])[\-._]?[Tt][Oo][Kk][Ee][Nn]|(?:[Ii][Oo]\.[Jj][Ss][Oo][Nn][Ww][Ee][Bb][Tt][Oo][Kk][Ee][Nn][\t ]?:[\t ]?[\-0-9A-Z_a-z]{1,512})|(?:[Aa][Pp][Ii]|[Cc][Rr][Ee][Dd][Ee][Nn][Tt][Ii][Aa][Ll][Ss]|[Tt][Oo][Kk][Ee][Nn])[\-._]?(?:[Ee][Nn][Dd][Pp][Oo][Ii][Nn][Tt]|[Uu][Rr][ILil])|[Pp][Uu][Bb][Ll][Ii][Cc][\-._]?[Tt][Oo][Kk][Ee][Nn]|(?:[Kk][Ee][Yy]|[Tt][Oo][Kk][Ee][Nn])[\-._]?[Ff][Ii][Ll][Ee]|(?:(?:[A-Z_]{1,512}=\n[A-Z_]{1,512}=|[_a-z]{1,512}=\n[_a-z]{1,512}=)(?:\n|$))|(?:(?:[.A-Z]{1,512}=\n[.A-Z]{1,512}=|[.a-z]{1,512}=\n[.a-z]{1,512}=)(?:\n|$)))`;
