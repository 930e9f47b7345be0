// Attacks that only a running command can make: it leaves its group, or looks for what the environment of the host
// holds.
import { combine } from './family.js'

/** Stands for a program that writes its process number and stays. */
const STAYS = './stay'
/** Stands for the name of a variable. */
const NAME = 'NAME'

const LEAVING = [
  'setsid STAY',
  'setsid -f STAY',
  'setsid --fork STAY',
  'setsid setsid STAY',
  'bash -c "set -m; STAY & sleep 0"',
  'perl -e \'use POSIX; exit if fork; POSIX::setsid(); exit if fork; exec "STAY"\'',
  'python3 -c \'import os; os.fork() and os._exit(0); os.setsid(); os.fork() and os._exit(0); os.execv("STAY", ["x"])\'',
  'node -e \'require("child_process").spawn("STAY", { detached: true, stdio: "inherit" }).unref()\'',
  'timeout 100 STAY',
  'script -qc STAY /dev/null',
  'sh -c "setsid STAY & exit"',
  'setsid bash -c "trap : TERM HUP; STAY"',
]
const BEFORE = ['', 'nohup ', 'nice ', 'env ', 'stdbuf -o0 ']
const BEHIND = [' &', ' & disown', ' </dev/null &', ' & sleep 0.05']

/** Commands that leave a process behind which is not in their group. */
export const LEAVES: readonly string[] = combine(
  combine(LEAVING, BEFORE, (leaving, before) => before + leaving.replaceAll('STAY', () => STAYS)),
  BEHIND,
  (command, behind) => command + behind,
)

const SECRETS = [
  'PGPASSWORD SSHPASS GITHUB_PAT GITHUB_TOKEN GH_TOKEN GITLAB_TOKEN SENTRY_DSN SSH_AUTH_SOCK DATABASE_URL REDIS_URL MONGO_URI AMQP_URL AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY AWS_SESSION_TOKEN AZURE_CLIENT_SECRET ARM_CLIENT_SECRET GOOGLE_APPLICATION_CREDENTIALS GOOGLE_API_KEY',
  'OPENAI_API_KEY ANTHROPIC_API_KEY GEMINI_API_KEY MISTRAL_API_KEY HF_TOKEN DISCORD_TOKEN TELEGRAM_BOT_TOKEN SLACK_BOT_TOKEN SLACK_SIGNING_SECRET MATRIX_ACCESS_TOKEN NPM_TOKEN NODE_AUTH_TOKEN PYPI_TOKEN TWINE_PASSWORD CARGO_REGISTRY_TOKEN DOCKER_PASSWORD DOCKER_AUTH_CONFIG REGISTRY_PASS KUBECONFIG KUBE_TOKEN VAULT_TOKEN CONSUL_HTTP_TOKEN NOMAD_TOKEN',
  'MYSQL_PWD MYSQL_ROOT_PASSWORD POSTGRES_PASSWORD PGPASSFILE REDISCLI_AUTH MONGODB_PASSWORD ELASTIC_PASSWORD RABBITMQ_DEFAULT_PASS MINIO_SECRET_KEY S3_SECRET SMTP_PASS MAIL_PASSWORD SENDGRID_API_KEY MAILGUN_KEY TWILIO_AUTH_TOKEN STRIPE_SECRET_KEY PAYPAL_SECRET JWT_SECRET SESSION_SECRET COOKIE_KEY ENCRYPTION_KEY SECRET_KEY_BASE DJANGO_SECRET_KEY APP_KEY',
  'GPG_PASSPHRASE GNUPGHOME SSH_PASSPHRASE SSH_ASKPASS SUDO_ASKPASS GIT_ASKPASS GIT_PASSWORD GIT_CREDENTIALS NETRC CURL_USER HTTP_PROXY HTTPS_PROXY http_proxy all_proxy FTP_PASSWORD RSYNC_PASSWORD BORG_PASSPHRASE RESTIC_PASSWORD RCLONE_CONFIG_PASS ANSIBLE_VAULT_PASSWORD TF_VAR_db_password TF_TOKEN_app PULUMI_ACCESS_TOKEN CLOUDFLARE_API_TOKEN DIGITALOCEAN_TOKEN HEROKU_API_KEY FLY_API_TOKEN VERCEL_TOKEN NETLIFY_AUTH_TOKEN',
  'CI_JOB_TOKEN ACTIONS_RUNTIME_TOKEN CIRCLE_TOKEN JENKINS_API_TOKEN SONAR_TOKEN CODECOV_TOKEN DATADOG_API_KEY DD_API_KEY NEW_RELIC_LICENSE_KEY GRAFANA_API_KEY PAGERDUTY_KEY OAUTH_CLIENT_SECRET SAML_KEY LDAP_BIND_PASSWORD KRB5CCNAME DBUS_SESSION_BUS_ADDRESS XAUTHORITY MYNAH_TOKEN MYNAH_HTTP_TOKEN HTTP_TOKEN token password Secret',
].flatMap((names) => names.split(' '))
const SHOWING = [
  'env',
  'printenv',
  'printenv NAME',
  'echo "$NAME"',
  'declare -p',
  'export -p',
  'set',
  'cat /proc/self/environ',
  'cat /proc/$$/environ',
  "bash -c 'echo $NAME'",
  'node -p "JSON.stringify(process.env)"',
  "perl -e 'print %ENV'",
  "awk 'BEGIN { for (n in ENVIRON) print ENVIRON[n] }'",
  'echo "${!NAME@}" "${NAME:-}"',
  'tr "\\0" "\\n" < /proc/self/environ',
  'n=NAME; echo "${!n}"',
]

/** Commands that show a variable of the host, each with its name. */
export const SHOWS: readonly { readonly name: string; readonly command: string }[] = SECRETS.map((name, i) => ({
  name,
  command: (SHOWING[i % SHOWING.length] ?? '').replaceAll(NAME, name),
}))
