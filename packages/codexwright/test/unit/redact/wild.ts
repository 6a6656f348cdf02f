import { random, type Sample } from "./samples.ts";
import { DIGITS, HEX, LOWER, STD64, TOKENS, UPPER, URL64, uuid, WORD, type Draw } from "./wild-tokens.ts";

/** Secrets that only the text around them identifies. The secret is between « and ». */
const TEXTS: Readonly<Record<string, (draw: Draw) => string>> = {
  "microsoft teams hook": (d) =>
    `https://contoso.webhook.office.com/webhookb2/${uuid(d)}@${uuid(d)}/IncomingWebhook/«${d(HEX, 32)}/${uuid(d)}»`,
  "power automate hook": (d) =>
    `https://prod-11.westus.logic.azure.com:443/workflows/x/triggers/manual/paths/invoke?api-version=2016-06-01&sp=%2Ftriggers%2Fmanual%2Frun&sv=1.0&sig=«${d(URL64, 43)}»`,
  "slack hook": (d) => `https://hooks.slack.com/services/«T${d(UPPER, 9)}/B${d(UPPER, 10)}/${d(WORD, 24)}»`,
  "discord hook": (d) => `https://discord.com/api/webhooks/${d(DIGITS, 19)}/«${d(URL64, 68)}»`,
  "zapier hook": (d) => `https://hooks.zapier.com/hooks/catch/«${d(DIGITS, 8)}/${d(LOWER + DIGITS, 7)}»/`,
  "google chat hook": (d) =>
    `https://chat.googleapis.com/v1/spaces/AAAA${d(WORD, 7)}/messages?key=x&token=«${d(URL64, 43)}»`,
  "ifttt hook": (d) => `https://maker.ifttt.com/trigger/door/with/key/«${d(URL64, 22)}»`,
  "pagerduty hook": (d) => `https://events.pagerduty.com/integration/«${d(HEX, 32)}»/enqueue`,
  "aws secret": (d) => `aws_secret_access_key = «${d(STD64, 40)}»`,
  "aws secret export": (d) => `export AWS_SECRET_ACCESS_KEY=«${d(STD64, 40)}»`,
  "aws session token": (d) => `AWS_SESSION_TOKEN=«IQoJb3JpZ2luX2VjE${d(STD64, 300)}==»`,
  "aws json": (d) => `{"AccessKeyId": "x", "SecretAccessKey": "«${d(STD64, 40)}»", "Expiration": "2026"}`,
  "azure storage": (d) =>
    `DefaultEndpointsProtocol=https;AccountName=acct;AccountKey=«${d(STD64, 86)}==»;EndpointSuffix=core.windows.net`,
  "azure service bus": (d) =>
    `Endpoint=sb://x.servicebus.windows.net/;SharedAccessKeyName=Root;SharedAccessKey=«${d(STD64, 43)}=»`,
  "azure sas url": (d) =>
    `https://acct.blob.core.windows.net/c/f.txt?sv=2022-11-02&ss=b&srt=co&se=2026-01-01T00:00:00Z&sp=rl&sig=«${encodeURIComponent(`${d(STD64, 43)}=`)}»`,
  "azure cosmos": (d) => `AccountEndpoint=https://x.documents.azure.com:443/;AccountKey=«${d(STD64, 86)}==»;`,
  "s3 signed url": (d) =>
    `https://b.s3.amazonaws.com/k?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Date=20260101T000000Z&X-Amz-Expires=900&X-Amz-Signature=«${d(HEX, 64)}»`,
  "gcs signed url": (d) =>
    `https://storage.googleapis.com/b/o?X-Goog-Algorithm=GOOG4-RSA-SHA256&X-Goog-Signature=«${d(HEX, 512)}»`,
  "cloudfront signed": (d) =>
    `https://d111.cloudfront.net/a.jpg?Expires=1700000000&Signature=«${d(URL64, 200)}»&Key-Pair-Id=K1`,
  "datadog env": (d) => `DD_API_KEY=«${d(HEX, 32)}»`,
  "datadog yaml": (d) => `datadog:\n  apiKey: «${d(HEX, 32)}»\n  appKey: x`,
  "datadog header": (d) => `curl -H 'DD-APPLICATION-KEY: «${d(HEX, 40)}»' https://api.datadoghq.com`,
  "cloudflare token": (d) => `CLOUDFLARE_API_TOKEN="«${d(URL64, 40)}»"`,
  "cloudflare global key": (d) => `-H "X-Auth-Key: «${d(HEX, 37)}»"`,
  "heroku uuid": (d) => `HEROKU_API_KEY=«${uuid(d)}»`,
  algolia: (d) => `algoliasearch('ABCDEFGHIJ', '«${d(HEX, 32)}»') // algolia admin key`,
  "twilio auth": (d) => `TWILIO_AUTH_TOKEN=«${d(HEX, 32)}»`,
  cohere: (d) => `CO_API_KEY=«${d(WORD, 40)}»`,
  mistral: (d) => `MISTRAL_API_KEY: «${d(WORD, 32)}»`,
  together: (d) => `os.environ["TOGETHER_API_KEY"] = "«${d(HEX, 64)}»"`,
  elevenlabs: (d) => `'xi-api-key': '«${d(HEX, 32)}»'`,
  deepgram: (d) => `Authorization: Token «${d(HEX, 40)}»`,
  "generic json": (d) => `{"level":"debug","api_key":"«${d(WORD, 32)}»","n":1}`,
  "generic yaml": (d) => `database:\n  user: app\n  password: «${d(WORD, 14)}»`,
  "password punct": (d) => `DB_PASSWORD='«${d(WORD, 5)}!${d(WORD, 4)}#${d(WORD, 3)}»'`,
  toml: (d) => `[auth]\nclient_secret = "«${d(WORD, 30)}»"`,
  ini: (d) => `[client]\nuser=root\npassword=«${d(WORD, 12)}»`,
  "java properties": (d) => `spring.datasource.password=«${d(WORD, 12)}»`,
  xml: (d) => `<server><id>x</id><password>«${d(WORD, 16)}»</password></server>`,
  "xml attribute": (d) => `<add key="ApiKey" value="«${d(WORD, 32)}»" />`,
  django: (d) => `SECRET_KEY = 'django-insecure-«${d(`${LOWER}${DIGITS}!@#$%^&*(-_=+)`, 50)}»'`,
  "rails master key": (d) => `RAILS_MASTER_KEY=«${d(HEX, 32)}»`,
  laravel: (d) => `APP_KEY=base64:«${d(STD64, 43)}=»`,
  "postgres url": (d) => `postgres://app:«${d(WORD, 16)}»@db.internal:5432/app`,
  "mongodb srv": (d) => `mongodb+srv://admin:«${d(WORD, 16)}»@cluster0.abcde.mongodb.net/?retryWrites=true`,
  "redis url": (d) => `redis://:«${d(WORD, 32)}»@redis:6379/0`,
  "amqp url": (d) => `amqp://svc:«${d(WORD, 12)}»@mq/vhost`,
  "https basic url": (d) => `git clone https://user:«${d(WORD, 20)}»@git.example.com/x.git`,
  "https token url": (d) => `remote: https://x-access-token:«${d(WORD, 40)}»@github.com/o/r`,
  jdbc: (d) => `jdbc:postgresql://h/db?user=u&password=«${d(WORD, 14)}»&ssl=true`,
  "ado.net": (d) => `Server=tcp:x,1433;Database=d;User ID=sa;Password=«${d(WORD, 14)}»;Encrypt=True`,
  "odbc pwd": (d) => `Driver={ODBC};Server=x;Uid=sa;Pwd=«${d(WORD, 14)}»;`,
  "sentry dsn": (d) => `https://«${d(HEX, 32)}»@o12345.ingest.sentry.io/6789`,
  bearer: (d) => `curl -H "Authorization: Bearer «${d(URL64, 40)}»" https://x.test`,
  "basic header": (d) => `Authorization: Basic «${Buffer.from(`admin:${d(WORD, 14)}`).toString("base64")}»`,
  cookie: (d) => `Cookie: theme=dark; sessionid=«${d(LOWER + DIGITS, 32)}»; lang=en`,
  "set-cookie": (d) => `< Set-Cookie: connect.sid=s%3A«${d(URL64, 32)}.${d(WORD, 43)}»; Path=/; HttpOnly`,
  "x-api-key": (d) => `> x-api-key: «${d(WORD, 40)}»`,
  "curl user": (d) => `curl -s -u admin:«${d(WORD, 14)}» https://x.test/`,
  "mysql -p": (d) => `mysql -u root -p«${d(WORD, 14)}» app < dump.sql`,
  sshpass: (d) => `sshpass -p '«${d(WORD, 14)}»' ssh root@10.0.0.1`,
  PGPASSWORD: (d) => `PGPASSWORD=«${d(WORD, 12)}» psql -h db -U app`,
  "docker login": (d) => `docker login -u me -p «${d(WORD, 20)}» registry.example.com`,
  "redis-cli": (d) => `redis-cli -h r -a «${d(WORD, 20)}» ping`,
  "flag equals": (d) => `deploy --env prod --token=«${d(WORD, 24)}» --dry-run`,
  "flag space": (d) => `app --api-key «${d(WORD, 32)}» run`,
  "argv list": (d) => `["login","--password","«${d(WORD, 14)}»","--quiet"]`,
  "net user": (d) => `net user admin «${d(WORD, 14)}» /add`,
  "openssl pass": (d) => `openssl enc -aes-256-cbc -pass pass:«${d(WORD, 16)}» -in a`,
  "ansible vault pw": (d) => `ansible_become_pass: «${d(WORD, 14)}»`,
  smbclient: (d) => `smbclient //srv/share -U 'DOM/user%«${d(WORD, 14)}»'`,
  ldap: (d) => `ldapsearch -x -D cn=admin,dc=x -w «${d(WORD, 14)}» -b dc=x`,
  netrc: (d) => `machine api.example.com login me password «${d(WORD, 18)}»`,
  npmrc: (d) => `//registry.npmjs.org/:_authToken=«${uuid(d)}»`,
  "npmrc auth": (d) => `//reg.example.com/:_auth=«${Buffer.from(`me:${d(WORD, 14)}`).toString("base64")}»`,
  "docker config": (d) =>
    `{"auths":{"https://index.docker.io/v1/":{"auth":"«${Buffer.from(`me:${d(WORD, 18)}`).toString("base64")}»"}}}`,
  "git-credentials": (d) => `https://me:«${d(WORD, 20)}»@github.com`,
  pgpass: (d) => `db.internal:5432:app:svc:«${d(WORD, 16)}»`,
  "htpasswd apr": (d) => `admin:«$apr1$${d(WORD, 8)}$${d(`${WORD}./`, 22)}»`,
  "htpasswd bcrypt": (d) => `admin:«$2y$10$${d(`${WORD}./`, 53)}»`,
  "shadow sha512": (d) => `root:«$6$${d(WORD, 16)}$${d(`${WORD}./`, 86)}»:19000:0:99999:7:::`,
  "shadow yescrypt": (d) => `me:«$y$j9T$${d(`${WORD}./`, 22)}$${d(`${WORD}./`, 43)}»:19000:0:99999:7:::`,
  argon2: (d) => `"hash": "«$argon2id$v=19$m=65536,t=3,p=4$${d(STD64, 22)}$${d(STD64, 43)}»"`,
  "pbkdf2 django": (d) => `«pbkdf2_sha256$600000$${d(WORD, 22)}$${d(STD64, 43)}=»`,
  scram: (d) => `«SCRAM-SHA-256$4096:${d(STD64, 22)}==$${d(STD64, 43)}=:${d(STD64, 43)}=»`,
  ntlm: (d) => `Administrator:500:«aad3b435b51404eeaad3b435b51404ee:${d(HEX, 32)}»:::`,
  "mysql hash": (d) => `IDENTIFIED BY PASSWORD '«*${d(HEX.toUpperCase(), 40)}»'`,
  "sql identified": (d) => `CREATE USER 'app'@'%' IDENTIFIED BY '«${d(WORD, 16)}»';`,
  "sql alter role": (d) => `ALTER ROLE app WITH LOGIN PASSWORD '«${d(WORD, 16)}»';`,
  otpauth: (d) => `otpauth://totp/Acme:me@x.test?secret=«${d(`${UPPER}234567`, 32)}»&issuer=Acme`,
  "totp seed": (d) => `TOTP_SECRET=«${d(`${UPPER}234567`, 32)}»`,
  "rsa key": (d) => pem(d, "RSA PRIVATE KEY", 12),
  "openssh key": (d) =>
    pem(
      d,
      "OPENSSH PRIVATE KEY",
      6,
      "b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQAAAAAAAAABAAAAMwAAAAtzc2gtZW",
    ),
  "ec key": (d) => pem(d, "EC PRIVATE KEY", 3),
  "pkcs8 encrypted": (d) => pem(d, "ENCRYPTED PRIVATE KEY", 10),
  "pgp private": (d) =>
    `-----BEGIN PGP PRIVATE KEY BLOCK-----\nVersion: GnuPG v2\n\n«${lines(d, 10)}\n=${d(STD64, 4)}»\n-----END PGP PRIVATE KEY BLOCK-----`,
  putty: (d) =>
    `PuTTY-User-Key-File-3: ssh-ed25519\nEncryption: none\nPrivate-Lines: 1\n«${d(STD64, 43)}=»\nPrivate-MAC: ${d(HEX, 64)}`,
  wireguard: (d) => `[Interface]\nPrivateKey = «${d(STD64, 43)}=»\nAddress = 10.0.0.2/32`,
  jwk: (d) => `{"kty":"EC","crv":"P-256","x":"abc","d":"«${d(URL64, 43)}»"}`,
  "gcp service account": (d) =>
    `{"type":"service_account","private_key_id":"x","private_key":"-----BEGIN PRIVATE KEY-----\\n«${lines(d, 6).replaceAll("\n", "\\n")}»\\n-----END PRIVATE KEY-----\\n"}`,
  kubeconfig: (d) => `users:\n- name: a\n  user:\n    client-key-data: «${d(STD64, 400)}»`,
  "k8s secret": (d) =>
    `apiVersion: v1\nkind: Secret\ndata:\n  db: «${Buffer.from(d(WORD, 21)).toString("base64")}»`,
  "ansible vault": (d) => `$ANSIBLE_VAULT;1.1;AES256\n«${d(DIGITS, 80)}\n${d(DIGITS, 80)}»`,
  snowflake: (d) => `snowflake://me:«${d(WORD, 16)}»@acct/db`,
  okta: (d) => `OKTA_API_TOKEN=«00${d(URL64, 40)}»`,
  auth0: (d) => `AUTH0_CLIENT_SECRET=«${d(URL64, 64)}»`,
  dropbox: (d) => `dropbox_access_token: «sl.B${d(URL64, 130)}»`,
  spotify: (d) => `SPOTIFY_CLIENT_SECRET=«${d(HEX, 32)}»`,
  trello: (d) => `https://api.trello.com/1/boards?key=x&token=«${d(HEX, 64)}»`,
  zendesk: (d) => `zendesk_secret_key = "«${d(HEX, 64)}»"`,
  travis: (d) => `TRAVIS_TOKEN=«${d(WORD, 22)}»`,
  jenkins: (d) => `JENKINS_API_TOKEN=«11${d(HEX, 32)}»`,
  codecov: (d) => `CODECOV_TOKEN: «${uuid(d)}»`,
  coveralls: (d) => `repo_token: «${d(WORD, 33)}»`,
  sonar: (d) => `mvn sonar:sonar -Dsonar.login=«${d(HEX, 40)}»`,
  confluent: (d) =>
    `sasl.jaas.config=org.apache.kafka.common.security.plain.PlainLoginModule required username="k" password="«${d(STD64, 64)}";»`,
  pagerduty: (d) => `pagerduty_api_key: u+«${d(URL64, 18)}»`,
  opsgenie: (d) => `Authorization: GenieKey «${uuid(d)}»`,
  intercom: (d) => `intercom_token = "«${d(URL64, 60)}»"`,
  segment: (d) => `SEGMENT_WRITE_KEY=«${d(WORD, 32)}»`,
  amplitude: (d) => `AMPLITUDE_SECRET_KEY=«${d(HEX, 32)}»`,
  mixpanel: (d) => `mixpanel token: «${d(HEX, 32)}»`,
  etherscan: (d) => `ETHERSCAN_API_KEY=«${d(UPPER + DIGITS, 34)}»`,
  "eth private key": (d) => `PRIVATE_KEY=0x«${d(HEX, 64)}»`,
  infura: (d) => `https://mainnet.infura.io/v3/«${d(HEX, 32)}»`,
  alchemy: (d) => `https://eth-mainnet.g.alchemy.com/v2/«${d(URL64, 32)}»`,
  openweather: (d) => `https://api.openweathermap.org/data/2.5/weather?q=x&appid=«${d(HEX, 32)}»`,
  "telegram url": (d) => `https://api.telegram.org/bot7${d(DIGITS, 9)}:«AA${d(URL64, 33)}»/getMe`,
  "oauth callback": (d) => `http://localhost:8080/cb?code=«${d(URL64, 40)}»&state=x`,
  "oauth fragment": (d) => `http://localhost/#access_token=«${d(URL64, 60)}»&token_type=bearer`,
  "refresh json": (d) => `{"token_type":"Bearer","refresh_token":"«${d(URL64, 64)}»","expires_in":3600}`,
  "sentence password": (d) => `Your temporary password is «${d(WORD, 12)}», please change it.`,
  "sentence key": (d) => `my api key is «${d(WORD, 32)}» do not share`,
  "log line": (d) => `2026-01-01T10:00:00Z DEBUG auth token=«${d(WORD, 40)}» user=3`,
  "js object": (d) => `const client = new Client({ apiKey: '«${d(WORD, 32)}»', region: 'eu' });`,
  "go assign": (d) => `secretKey := "«${d(WORD, 32)}»"`,
  "php define": (d) => `define('DB_PASSWORD', '«${d(WORD, 14)}»');`,
  "wp salt": (d) => `define('AUTH_KEY',         '«${d(`${WORD}!@#$%^&*()-_ []{}<>~+=,.;:/?|`, 64)}»');`,
  ruby: (d) => `:secret_key_base => "«${d(HEX, 128)}»"`,
  "env set -x": (d) => `+ export GITHUB_TOKEN=«${d(HEX, 40)}»`,
  powershell: (d) => `$env:API_SECRET = "«${d(WORD, 32)}»"`,
  "windows set": (d) => `set API_TOKEN=«${d(WORD, 32)}»`,
  setx: (d) => `setx MY_SECRET "«${d(WORD, 24)}»"`,
  "dockerfile env": (d) => `ENV NPM_TOKEN «${d(WORD, 36)}»`,
  tfvars: (d) => `db_password = "«${d(WORD, 14)}»"`,
  "helm set": (d) => `helm upgrade x ./c --set postgresql.auth.password=«${d(WORD, 14)}»`,
  "kubectl literal": (d) => `kubectl create secret generic s --from-literal=token=«${d(WORD, 24)}»`,
  "gh secret": (d) => `gh secret set FOO --body "«${d(WORD, 30)}»"`,
  "echo pipe": (d) => `echo '«${d(WORD, 20)}»' | docker login --password-stdin -u x`,
  chpasswd: (d) => `echo "root:«${d(WORD, 14)}»" | chpasswd`,
  "vault kv": (d) => `vault kv put secret/app password=«${d(WORD, 16)}»`,
  "wpa psk": (d) => `network={\n  ssid="home"\n  psk="«${d(WORD, 14)}»"\n}`,
  "wifi qr": (d) => `WIFI:T:WPA;S:home;P:«${d(WORD, 14)}»;;`,
  snmp: (d) => `createUser admin SHA "«${d(WORD, 14)}»" AES`,
  cisco: (d) => `username admin privilege 15 secret 5 «$1$${d(WORD, 4)}$${d(`${WORD}./`, 22)}»`,
  "ftp url": (d) => `ftp://me:«${d(WORD, 12)}»@ftp.example.com/x`,
  smtp: (d) => `smtp://apikey:«${d(WORD, 32)}»@smtp.example.com:587`,
  mnemonic: () =>
    `mnemonic: «abandon ability able about above absent absorb abstract absurd abuse access accident»`,
  "bip39 env": () =>
    `MNEMONIC="«legal winner thank year wave sausage worth useful legal winner thank yellow»"`,
  wif: (d) =>
    `wallet private key: «5${d("HJK", 1)}${d("123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz", 49)}»`,
};

function lines(d: Draw, count: number): string {
  return Array.from({ length: count }, () => d(STD64, 64)).join("\n");
}

function pem(d: Draw, name: string, count: number, head = ""): string {
  return `-----BEGIN ${name}-----\n${head && `${head}\n`}«${lines(d, count)}\n${d(STD64, 30)}==»\n-----END ${name}-----`;
}

/** The contexts in which a token appears in a text. */
const FRAMES: readonly ((token: string) => string)[] = [
  (token) => token,
  (token) => `The value that I used for it is ${token} as far as I know.`,
  (token) => `export SERVICE_CONFIG=${token}`,
  (token) => JSON.stringify({ level: "info", value: token, n: 3 }),
  (token) => `service:\n  value: ${token}\n  other: 1`,
  (token) => `2026-01-01T10:00:00.123Z [worker-3] DEBUG sent "${token}" in 30 ms`,
  (token) => `backup-${token}.txt`,
  (token) => `["run","${token}","--quiet"]`,
  (token) => `curl 'https://api.example.test/v1/items?limit=3&x=${token}&page=2'`,
  (token) => `const value = '${token}';`,
  (token) => `| name | ${token} | note |`,
  (token) => `config_${token}_old`,
];

export interface WildSample extends Sample {
  /** Whether the secret is recognised by its own shape. */
  readonly token: boolean;
}

/** Samples as they appear in the wild, several of each kind. */
export function inTheWild(seed: number, each: number): WildSample[] {
  const next = random(seed);
  const pick = (alphabet: string): string => alphabet.charAt(Math.floor(next() * alphabet.length));
  const draw: Draw = (alphabet, length) => {
    const text = Array.from({ length }, () => pick(alphabet)).join("");
    // A token does not begin or end with punctuation, so that the text around it does not become part of it.
    return text.replaceAll(/^[^A-Za-z0-9]|[^A-Za-z0-9]$/g, () => pick(HEX));
  };
  const frame = (): ((token: string) => string) => FRAMES[Math.floor(next() * FRAMES.length)] ?? String;
  const samples: WildSample[] = [];
  for (let count = 0; count < each; count++) {
    for (const [kind, make] of Object.entries(TOKENS)) {
      const secret = make(draw);
      samples.push({ kind, text: /[ :/]/.test(secret) ? secret : frame()(secret), secret, token: true });
    }
    for (const [kind, make] of Object.entries(TEXTS)) {
      const [before = "", secret = "", after = ""] = make(draw).split(/[«»]/);
      samples.push({ kind, text: before + secret + after, secret, token: false });
    }
  }
  return samples;
}
