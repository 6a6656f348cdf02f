import { hasDigit, type Shape } from "./shape.ts";

const SECRET = "([A-Za-z0-9]{24}[0-9]{2})";

/** Matches URLs that grant access: URLs with a password, signed URLs, webhooks, and one-time password URLs. */
export const URLS: readonly Shape[] = [
  {
    kind: "parameter of a URL",
    keywords: ["="],
    where: "text",
    pattern:
      /(?:#(?:access_token|id_token|refresh_token)|[?&](?:amp;)?(?:code|state|nonce|auth|token|access_token|id_token|refresh_token|session_?token|api_?key|app_?key|key|sig|signature|sas|secret|client_secret|password|passwd|pwd|code_verifier|code_challenge|login_hint|hmac|policy|key-pair-id|awsaccesskeyid|googleaccessid|x-(?:amz|goog|oss)-(?:signature|credential|security-token)|__token__|hdnts|appid(?==[a-f0-9]{32})))=([^&\s"'#\\<>]{4,})/di,
    group: 1,
    samples: [
      `https://b.s3.amazonaws.com/k\\?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Expires=60&X-Amz-Signature=([a-f0-9]{64})`,
      `https://b.s3.amazonaws.com/k\\?X-Amz-Security-Token=${SECRET}&X-Amz-Date=20260101T000000Z`,
      `https://storage.googleapis.com/b/o\\?X-Goog-Expires=60&X-Goog-Signature=([a-f0-9]{128})`,
      `https://a.blob.core.windows.net/c/b\\?sv=2022-11-02&sr=b&sig=([A-Za-z0-9]{43}%3D)`,
      `https://d1.cloudfront.net/a\\?Expires=1700000000&Signature=([A-Za-z0-9~-]{172})__&Key-Pair-Id=K2`,
      `https://chat.googleapis.com/v1/spaces/AA/messages\\?key=k&token=${SECRET}`,
      `otpauth://totp/Example:me\\?secret=([A-Z2-7]{32})&issuer=Example`,
      `https://example.test/callback\\?code=${SECRET}&scope=a`,
      `https://example.test/callback#access_token=${SECRET}&token_type=bearer`,
    ],
  },
  {
    kind: "password in a URL",
    keywords: ["://"],
    where: "text",
    pattern: /:\/\/[^/\s:@"'`[\]{}|\\<>^]*:([^/\s@"'`[\]{}|\\<>^]+)@/d,
    group: 1,
    // Excludes placeholders that documentation uses.
    holds: ([, value = ""]) =>
      value.length > 3 && !/^(?:pass|passwd|password|secret|x+|\*+|\.+)$/i.test(value),
    samples: [
      `postgres://me:${SECRET}@db.example.test:5432/app`,
      `https://me:${SECRET}@example.test/a.git`,
      `redis://:${SECRET}@cache:6379/0`,
      `mongodb+srv://me:${SECRET}@cluster.example.test/db`,
      `amqp://me:${SECRET}@mq.example.test:5672/v`,
    ],
  },
  {
    kind: "token in a URL",
    keywords: ["://"],
    where: "text",
    pattern: /:\/\/([^/\s:@"'`[\]{}|\\<>^]{8,512})@/d,
    group: 1,
    holds: ([, value = ""]) => hasDigit(value) || value.length >= 20,
    samples: [
      `git clone https://${SECRET}@example.test/a.git`,
      `https://([a-f0-9]{32})@o1.ingest.sentry.io/1`,
    ],
  },
  {
    kind: "webhook",
    keywords: [
      "hooks.slack.com",
      "discord",
      "webhook.office.com",
      "hooks.zapier.com",
      "ifttt",
      "/hooks/",
      "telegram",
      "pagerduty",
      "infura",
      "alchemy",
    ],
    where: "text",
    pattern:
      /(?:hooks\.slack\.com\/(?:services|workflows|triggers)\/|discord(?:app)?\.com\/api\/(?:v\d{1,2}\/)?webhooks\/\d{1,30}\/|webhook\.office\.com\/webhookb2\/|maker\.ifttt\.com\/trigger\/[\w-]{1,100}\/with\/key\/|api\.telegram\.org\/bot|:\/\/[\w.:-]{1,255}\/hooks\/|events\.pagerduty\.com\/integration\/|(?:infura\.io|alchemy\.com|alchemyapi\.io)\/(?:ws\/)?v\d\/|hooks\.zapier\.com\/hooks\/catch\/(?=\d{1,20}\/\w{5}))([\w/@:+-]{12,})/d,
    group: 1,
    samples: [
      `https://hooks\\.slack\\.com/services/(T[A-Z0-9]{8}/B[A-Z0-9]{8}/[A-Za-z0-9]{24})`,
      `https://discord\\.com/api/webhooks/[0-9]{18}/([A-Za-z0-9_-]{67}0)`,
      `https://example\\.webhook\\.office\\.com/webhookb2/([a-f0-9]{8}-[a-f0-9]{4}-4[a-f0-9]{3}-8[a-f0-9]{3}-[a-f0-9]{12}@[a-f0-9]{8}-[a-f0-9]{4}-4[a-f0-9]{3}-8[a-f0-9]{3}-[a-f0-9]{12}/IncomingWebhook/[a-f0-9]{32}/[a-f0-9]{12})`,
      `https://hooks\\.zapier\\.com/hooks/catch/[0-9]{6}/([a-z0-9]{20})`,
      `https://maker\\.ifttt\\.com/trigger/built/with/key/([A-Za-z0-9_-]{43})`,
      `https://api\\.telegram\\.org/bot([0-9]{9}:AA[A-Za-z0-9_-]{33})/sendMessage`,
      `https://chat\\.example\\.test/hooks/([a-z0-9]{26})`,
    ],
  },
];
