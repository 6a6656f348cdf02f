import { random, type Sample } from "./samples.ts";

const LOWER = "abcdefghijklmnopqrstuvwxyz";
const DIGITS = "0123456789";
const ALNUM = LOWER.toUpperCase() + LOWER + DIGITS;
const HEX = "0123456789abcdef";
const BASE32 = `${LOWER.toUpperCase()}234567`;
const BASE64 = `${ALNUM}+/`;
const URL64 = `${ALNUM}-_`;

/** The writers for a sample. Each returns random characters of an alphabet. */
interface Writer {
  alnum(length: number): string;
  lower(length: number): string;
  upper(length: number): string;
  digits(length: number): string;
  hex(length: number): string;
  b32(length: number): string;
  b64(length: number): string;
  url64(length: number): string;
  uuid(): string;
  /** A password as people and generators write it. */
  pass(length: number): string;
  /** The base64 of a key, in lines of 64 characters. */
  lines(count: number): string;
}

function writer(seed: number): Writer {
  const next = random(seed);
  const of =
    (alphabet: string) =>
    (length: number): string =>
      Array.from({ length }, () => alphabet.charAt(Math.floor(next() * alphabet.length))).join("");
  const hex = of(HEX);
  const b64 = of(BASE64);
  const alnum = of(ALNUM);
  return {
    alnum,
    lower: of(LOWER + DIGITS),
    upper: of(LOWER.toUpperCase() + DIGITS),
    digits: of(DIGITS),
    hex,
    b32: of(BASE32),
    b64,
    url64: of(URL64),
    uuid: () => [hex(8), hex(4), `4${hex(3)}`, `a${hex(3)}`, hex(12)].join("-"),
    pass: (length) => `${alnum(length - 3)}7!x`,
    lines: (count) => Array.from({ length: count }, () => b64(64)).join("\n"),
  };
}

/** A text with a secret, which is marked by `«…»`. */
type Kind = (w: Writer) => string;

/**
 * Kinds of secrets as they appear in terminals, files and chats. They are written by hand from vendors' documentation,
 * not from the table of shapes that must find them.
 */
const BY_HAND: Readonly<Record<string, Kind>> = {
  // Keys of vendors.
  "AWS access key": (w) => `aws_access_key_id = «AKIA${w.b32(16)}»`,
  "AWS secret key": (w) => `aws_secret_access_key = «${w.b64(39)}7»`,
  "AWS session token": (w) => `export AWS_SESSION_TOKEN="«IQoJb3JpZ2luX2Vj${w.b64(200)}==»"`,
  "AWS credentials of a role": (w) =>
    `{\n  "AccessKeyId": "ASIA${w.b32(16)}",\n  "SecretAccessKey": "«${w.b64(39)}3»",\n  "Expiration": "2026-11-16T09:00:00Z"\n}`,
  "GCP service account": (w) =>
    JSON.stringify(
      {
        type: "service_account",
        private_key_id: w.hex(40),
        private_key: `-----BEGIN PRIVATE KEY-----\n«${w.lines(6)}»\n-----END PRIVATE KEY-----\n`,
        client_email: "a@b.iam.gserviceaccount.com",
      },
      undefined,
      2,
    ),
  "GCP API key": (w) => `GOOGLE_MAPS=«AIzaSy${w.url64(33)}»`,
  "GCP OAuth access token": (w) => `Using token «ya29.a0AfH6SM${w.url64(120)}»`,
  "Google OAuth client secret": (w) => `client secret is «GOCSPX-${w.url64(28)}»`,
  "Google refresh token": (w) => `refresh_token: «1//0g${w.url64(70)}»`,
  "Azure client secret": (w) => `AZURE_CLIENT_SECRET=«${w.alnum(3)}8Q~${w.alnum(34)}»`,
  "Azure storage account": (w) =>
    `AccountName=me;AccountKey=«${w.b64(86)}==»;EndpointSuffix=core.windows.net`,
  "Azure DevOps PAT": (w) => `AZURE_DEVOPS_EXT_PAT=«${w.lower(52)}»`,
  "GitHub classic": (w) => `remote: using «ghp_${w.alnum(36)}»`,
  "GitHub fine-grained": (w) => `«github_pat_${w.alnum(22)}_${w.alnum(59)}»`,
  "GitHub app": (w) => `x-access-token «ghs_${w.alnum(36)}»`,
  "GitLab PAT": (w) => `git push with «glpat-${w.url64(20)}»`,
  "GitLab runner": (w) => `gitlab-runner register --registration-token «GR1348941${w.url64(20)}»`,
  "GitLab deploy token": (w) => `user gitlab+deploy-token-1 «gldt-${w.url64(20)}»`,
  "npm token": (w) => `//registry.npmjs.org/:_authToken=«npm_${w.alnum(36)}»`,
  "PyPI token": (w) => `twine upload -u __token__ -p «pypi-AgEIcHlwaS5vcmc${w.url64(150)}»`,
  Stripe: (w) => `stripe.api_key = "«sk_live_${w.alnum(99)}»"`,
  "Stripe webhook": (w) => `endpoint_secret = '«whsec_${w.alnum(32)}»'`,
  "Slack bot": (w) => `SLACK=«xoxb-${w.digits(12)}-${w.digits(13)}-${w.alnum(24)}»`,
  "Slack app": (w) => `«xapp-1-A${w.upper(10)}-${w.digits(13)}-${w.hex(64)}»`,
  "Slack webhook": (w) =>
    `curl -X POST https://hooks.slack.com/services/«T${w.upper(8)}/B${w.upper(10)}/${w.alnum(24)}»`,
  "Discord bot": (w) =>
    `client.login("«${Buffer.from(`1${w.digits(17)}`).toString("base64")}.${w.alnum(6)}.${w.url64(38)}»");`,
  "Discord webhook": (w) => `https://discord.com/api/webhooks/${w.digits(19)}/«${w.url64(68)}»`,
  "Twilio auth token": (w) => `TWILIO_AUTH_TOKEN=«${w.hex(32)}»`,
  "Twilio API key": (w) => `sid «SK${w.hex(32)}»`,
  SendGrid: (w) => `«SG.${w.url64(22)}.${w.url64(43)}»`,
  Mailgun: (w) => `MAILGUN_API_KEY: «key-${w.hex(32)}»`,
  Mailchimp: (w) => `mailchimp = "«${w.hex(32)}-us14»"`,
  "OpenAI project": (w) => `OPENAI = sk: «sk-proj-${w.url64(74)}T3BlbkFJ${w.url64(74)}»`,
  "OpenAI service account": (w) => `«sk-svcacct-${w.url64(60)}T3BlbkFJ${w.url64(60)}»`,
  Anthropic: (w) => `«sk-ant-api03-${w.url64(93)}AA»`,
  HuggingFace: (w) => `huggingface-cli login --token «hf_${w.alnum(34)}»`,
  "Datadog API": (w) => `DD_API_KEY=«${w.hex(32)}»`,
  "Datadog application": (w) => `DD-APPLICATION-KEY: «${w.hex(40)}»`,
  "New Relic license": (w) => `license_key: «${w.hex(36)}NRAL»`,
  "New Relic user": (w) => `NEW_RELIC: «NRAK-${w.upper(27)}»`,
  "Cloudflare token": (w) => `CLOUDFLARE_API_TOKEN=«${w.url64(40)}»`,
  "Cloudflare global": (w) => `X-Auth-Key: «${w.hex(37)}»`,
  DigitalOcean: (w) => `doctl auth init -t «dop_v1_${w.hex(64)}»`,
  "Heroku API key": (w) => `HEROKU_API_KEY=«${w.uuid()}»`,
  "Heroku new": (w) => `«HRKU-AA${w.url64(58)}»`,
  Shopify: (w) => `X-Shopify-Access-Token: «shpat_${w.hex(32)}»`,
  Square: (w) => `«EAAA${w.url64(60)}»`,
  "Square secret": (w) => `«sq0csp-${w.url64(43)}»`,
  "Telegram bot": (w) => `bot token «${w.digits(10)}:AA${w.url64(33)}» works`,
  "Sentry DSN": (w) => `dsn: "https://«${w.hex(32)}»@o${w.digits(6)}.ingest.sentry.io/${w.digits(7)}"`,
  "Sentry user": (w) => `sentry-cli --auth-token «sntryu_${w.hex(64)}»`,
  Linear: (w) => `«lin_api_${w.alnum(40)}»`,
  "Notion old": (w) => `NOTION_TOKEN=«secret_${w.alnum(43)}»`,
  "Notion new": (w) => `«ntn_${w.digits(11)}${w.alnum(35)}»`,
  "Vault service": (w) => `VAULT_TOKEN «hvs.${w.url64(95)}»`,
  "Vault short": (w) => `Success! token          «hvs.${w.alnum(24)}»`,
  Doppler: (w) => `doppler: «dp.pt.${w.alnum(43)}»`,
  "Doppler service": (w) => `«dp.st.prd.${w.alnum(43)}»`,
  age: (w) =>
    `# public key: age1\n«AGE-SECRET-KEY-1${"QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L".repeat(2).slice(0, 57)}${w.digits(1).replaceAll(/[01]/g, "2")}»`,
  "Terraform cloud": (w) => `token = "«${w.alnum(14)}.atlasv1.${w.alnum(67)}»"`,
  Databricks: (w) => `«dapi${w.hex(32)}»`,
  Postman: (w) => `«PMAK-${w.hex(24)}-${w.hex(34)}»`,
  Grafana: (w) => `«glsa_${w.alnum(32)}_${w.hex(8)}»`,
  "Docker Hub": (w) => `«dckr_pat_${w.url64(27)}»`,
  Tailscale: (w) => `tailscale up --authkey=«tskey-auth-k${w.alnum(11)}CNTRL-${w.alnum(32)}»`,
  Supabase: (w) => `«sbp_${w.hex(40)}»`,
  Groq: (w) => `«gsk_${w.alnum(52)}»`,
  Replicate: (w) => `«r8_${w.alnum(37)}»`,
  Figma: (w) => `X-Figma-Token: «figd_${w.url64(40)}»`,
  Airtable: (w) => `«pat${w.alnum(14)}.${w.hex(64)}»`,
  Atlassian: (w) => `«ATATT3xFfGF0${w.url64(175)}=${w.upper(8)}»`,
  Algolia: (w) => `ALGOLIA_ADMIN_KEY="«${w.hex(32)}»"`,
  CircleCI: (w) => `Circle-Token: «CCIPAT_${w.alnum(22)}_${w.hex(40)}»`,
  PlanetScale: (w) => `«pscale_tkn_${w.url64(43)}»`,
  Fly: (w) => `FLY_API_TOKEN="FlyV1 «fm2_lJPE${w.b64(180)}»"`,
  Vercel: (w) => `vercel deploy --token «${w.alnum(24)}»`,
  // Private keys.
  "RSA key": (w) => `-----BEGIN RSA PRIVATE KEY-----\n«${w.lines(12)}»\n-----END RSA PRIVATE KEY-----`,
  "EC key": (w) =>
    `-----BEGIN EC PRIVATE KEY-----\n«${w.lines(2)}\n${w.b64(30)}==»\n-----END EC PRIVATE KEY-----`,
  "OpenSSH key": (w) =>
    `-----BEGIN OPENSSH PRIVATE KEY-----\n«b3BlbnNzaC1rZXktdjEAAAAA${w.b64(46)}\n${w.lines(4)}»\n-----END OPENSSH PRIVATE KEY-----`,
  "encrypted RSA key": (w) =>
    `-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,${w.hex(32).toUpperCase()}\n\n«${w.lines(6)}»\n-----END RSA PRIVATE KEY-----`,
  "PGP key": (w) =>
    `-----BEGIN PGP PRIVATE KEY BLOCK-----\nVersion: GnuPG v2\n\n«${w.lines(8)}»\n=${w.b64(4)}\n-----END PGP PRIVATE KEY BLOCK-----`,
  "WireGuard key": (w) => `[Interface]\nPrivateKey = «${w.b64(42)}8=»\nAddress = 10.0.0.2/32`,
  // Hashes of passwords.
  "shadow $6$": (w) => `root:«$6$${w.alnum(16)}$${w.alnum(86)}»:19700:0:99999:7:::`,
  "shadow $y$": (w) => `me:«$y$j9T$${w.alnum(22)}$${w.alnum(43)}»:19700:0:99999:7:::`,
  bcrypt: (w) => `admin:«$2b$12$${w.alnum(53)}»`,
  argon2: (w) => `hash «$argon2id$v=19$m=65536,t=3,p=4$${w.b64(22)}$${w.b64(43)}»`,
  "Django hash": (w) => `«pbkdf2_sha256$600000$${w.alnum(22)}$${w.b64(43)}=»`,
  "NTLM dump": (w) => `Administrator:500:«${w.hex(32)}:${w.hex(32)}»:::`,
  // Command lines.
  "mysql -p": (w) => `mysql -u root -p«${w.alnum(11)}4» -e 'select 1'`,
  "mysqldump --password": (w) => `mysqldump --user=root --password=«${w.pass(14)}» app`,
  "psql PGPASSWORD": (w) => `PGPASSWORD=«${w.pass(12)}» psql -h db -U app`,
  "PGPASSWORD quoted": (w) => `PGPASSWORD='«${w.pass(16)}»' pg_dump app`,
  "curl -u": (w) => `curl -sS -u deploy:«${w.pass(14)}» https://nexus.example.test/`,
  "curl -H bearer": (w) => `curl -H 'Authorization: Bearer «${w.url64(40)}»' https://api.example.test`,
  "sshpass -p": (w) => `sshpass -p '«${w.pass(12)}»' ssh root@10.0.0.1`,
  "docker login -p": (w) => `docker login -u me -p «${w.pass(20)}» registry.example.test`,
  "docker login --password": (w) => `docker login --username me --password «${w.pass(20)}»`,
  "docker run -e": (w) => `docker run -e POSTGRES_PASSWORD=«${w.pass(12)}» postgres:16`,
  "redis-cli -a": (w) => `redis-cli -h cache -p 6379 -a «${w.pass(16)}» ping`,
  "ldapsearch -w": (w) => `ldapsearch -x -D "cn=admin,dc=a,dc=b" -w «${w.pass(12)}» -b dc=a`,
  "openssl passin": (w) => `openssl pkcs12 -in a.p12 -passin pass:«${w.pass(12)}» -nodes`,
  "openssl enc -k": (w) => `openssl enc -aes-256-cbc -k «${w.pass(14)}» -in a -out b`,
  "kubectl --token": (w) => `kubectl --server https://k --token «${w.alnum(32)}» get pods`,
  "kubectl create secret": (w) => `kubectl create secret generic db --from-literal=password=«${w.pass(14)}»`,
  "aws configure": (w) => `aws configure set aws_secret_access_key «${w.b64(40)}»`,
  "net use": (w) => `net use Z: \\\\srv\\share /user:me «${w.pass(12)}»`,
  "wget --password": (w) => `wget --user=me --password='«${w.pass(12)}»' https://example.test/a`,
  "gpg --passphrase": (w) => `gpg --batch --yes --passphrase «${w.pass(15)}» -d a.gpg`,
  "echo | docker": (w) => `echo "«${w.pass(20)}»" | docker login -u me --password-stdin`,
  "SQL alter user": (w) => `ALTER USER app WITH PASSWORD '«${w.pass(14)}»';`,
  "SQL identified by": (w) => `CREATE USER 'app'@'%' IDENTIFIED BY '«${w.pass(14)}»';`,
  chpasswd: (w) => `echo 'root:«${w.pass(12)}»' | chpasswd`,
  // URLs.
  "postgres URL": (w) =>
    `DATABASE_URL=postgres://app:«${w.alnum(16)}»@db.example.test:5432/app?sslmode=require`,
  "mongodb URL": (w) => `mongodb+srv://app:«${w.alnum(16)}»@c0.abc.mongodb.net/?retryWrites=true`,
  "amqp URL": (w) => `amqps://app:«${w.alnum(20)}»@mq.example.test/vhost`,
  "redis URL": (w) => `REDIS_URL=redis://:«${w.alnum(32)}»@cache:6379/0`,
  "git URL": (w) => `https://oauth2:«${w.alnum(26)}»@git.example.test/a/b.git`,
  "JDBC URL": (w) => `jdbc:mysql://db:3306/app?user=app&password=«${w.alnum(14)}»&useSSL=true`,
  "JDBC SQL Server": (w) => `jdbc:sqlserver://db:1433;databaseName=app;user=sa;password=«${w.pass(14)}»;`,
  "ADO.NET": (w) =>
    `Server=tcp:db,1433;Initial Catalog=app;User ID=sa;Password=«${w.pass(16)}»;Encrypt=True;`,
  SAS: (w) =>
    `https://me.blob.core.windows.net/c/b?sv=2023-01-03&se=2026-12-01T00%3A00Z&sr=b&sp=r&sig=«${w.alnum(42)}%3D»`,
  "S3 signed": (w) =>
    `https://b.s3.amazonaws.com/k?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Date=20261116T000000Z&X-Amz-Signature=«${w.hex(64)}»`,
  "GCS signed": (w) =>
    `https://storage.googleapis.com/b/o?X-Goog-Date=20261116T000000Z&X-Goog-Signature=«${w.hex(256)}»`,
  CloudFront: (w) =>
    `https://d111.cloudfront.net/a?Expires=1767225600&Signature=«${w.url64(340)}»__&Key-Pair-Id=K${w.upper(13)}`,
  "query access_token": (w) => `GET /v1/me?access_token=«${w.alnum(40)}»&v=2 HTTP/1.1`,
  "fragment access_token": (w) =>
    `https://app.example.test/cb#access_token=«${w.url64(60)}»&token_type=bearer`,
  "Teams webhook": (w) =>
    `https://acme.webhook.office.com/webhookb2/«${w.uuid()}@${w.uuid()}/IncomingWebhook/${w.hex(32)}/${w.uuid()}»`,
  otpauth: (w) => `otpauth://totp/ACME:me@example.test?secret=«${w.b32(32)}»&issuer=ACME&digits=6`,
  // Headers and cookies.
  "Set-Cookie": (w) => `Set-Cookie: session=«${w.url64(60)}»; Path=/; Secure; HttpOnly`,
  Cookie: (w) => `Cookie: _ga=GA1.2.1.1; sessionid=«${w.lower(32)}»; csrftoken=${w.alnum(32)}`,
  JWT: (w) => `got «eyJhbGciOiJSUzI1NiIsInR5cCI6IkpXVCJ9.eyJ${w.url64(80)}.${w.url64(171)}»`,
  Basic: (w) => `authorization: Basic «${Buffer.from(`deploy:${w.alnum(15)}`).toString("base64")}»`,
  "X-Api-Key": (w) => `> x-api-key: «${w.alnum(40)}»`,
  "Authorization: token": (w) => `Authorization: token «${w.hex(40)}»`,
  // Files.
  ".netrc": (w) => `machine api.example.test\n  login me\n  password «${w.pass(18)}»\n`,
  ".pypirc": (w) => `[pypi]\nusername = me\npassword = «${w.pass(18)}»\n`,
  ".npmrc _password": (w) => `//r.example.test/:_password=«${Buffer.from(w.alnum(18)).toString("base64")}»`,
  "docker config": (w) =>
    `{"auths":{"https://index.docker.io/v1/":{"auth":"«${Buffer.from(`me:${w.alnum(18)}`).toString("base64")}»"}}}`,
  "kubeconfig key": (w) => `    client-key-data: «LS0tLS1CRUdJTi${w.b64(400)}==»`,
  "kubeconfig token": (w) => `- name: me\n  user:\n    token: «${w.alnum(40)}»\n`,
  ".env": (w) => `APP_ENV=prod\nSECRET_KEY_BASE=«${w.hex(128)}»\nPORT=80\n`,
  ".env DB_PASS": (w) => `DB_HOST=db\nDB_PASS=«${w.pass(14)}»\n`,
  "JSON config": (w) => `{"db":{"host":"db","password":"«${w.pass(16)}»"}}`,
  "YAML config": (w) => `db:\n  host: db\n  password: "«${w.pass(16)}»"\n`,
  "YAML bare": (w) => `smtp:\n  user: me\n  password: «${w.pass(16)}»\n`,
  "Spring properties": (w) => `spring.datasource.password=«${w.pass(16)}»`,
  "Django settings": (w) => `SECRET_KEY = 'django-insecure-«${w.lower(50)}»'`,
  "Rails master key": (w) => `RAILS_MASTER_KEY=«${w.hex(32)}»`,
  "wp-config": (w) => `define( 'DB_PASSWORD', '«${w.pass(16)}»' );`,
  "wp salt": (w) => `define('AUTH_KEY',         '«${w.alnum(64)}»');`,
  ".pgpass": (w) => `db.example.test:5432:app:me:«${w.alnum(16)}»`,
  "my.cnf": (w) => `[client]\nuser=root\npassword="«${w.pass(14)}»"\n`,
  "Ansible vault password": (w) => `ansible_become_pass: «${w.pass(14)}»`,
  wpa_supplicant: (w) => `network={\n  ssid="home"\n  psk="«${w.pass(16)}»"\n}`,
  "Maven settings": (w) =>
    `<server><id>r</id><username>me</username><password>«${w.pass(16)}»</password></server>`,
};

/** Returns one sample of every kind that was written by hand. */
export function byHand(seed: number): Sample[] {
  return Object.entries(BY_HAND).map(([kind, write], index) => {
    const marked = write(writer(seed * 1_000 + index));
    const secret = marked.slice(marked.indexOf("«") + 1, marked.indexOf("»"));
    return { kind, secret, text: marked.replace("«", "").replace("»", "") };
  });
}
