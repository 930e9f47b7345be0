// curl, wget, dig and their like: which options reach beyond fetching from the network.
import { parseOptions } from './options.js'
import type { OptionTable } from './options.js'
import { displayShape, secretPath } from './secrets.js'
import { HOLE } from './words.js'
import type { Arg } from './words.js'

const CURL: OptionTable = {
  flags: '#0123469aBfgGhiIjJkLlMnNOpqRsSvVZ',
  values: 'AbcCdDeEFHKmoPQrtTuUwxXyYz',
  numbers: false,
  long: `anyauth append basic ca-native cert-status compressed compressed-ssh create-dirs crlf digest disable disable-eprt disable-epsv
  disallow-username-in-url doh-cert-status doh-insecure fail fail-early fail-with-body false-start form-escape ftp-create-dirs ftp-pasv
  ftp-pret ftp-skip-pasv-ip ftp-ssl-ccc ftp-ssl-control get globoff haproxy-protocol head help http0.9 http1.0 http1.1 http2
  http2-prior-knowledge http3 http3-only ignore-content-length include insecure ipv4 ipv6 junk-session-cookies list-only location
  location-trusted manual metalink negotiate netrc netrc-optional next no-alpn no-buffer no-clobber no-keepalive no-npn no-progress-meter
  no-sessionid no-fail no-location no-silent no-verbose ntlm ntlm-wb parallel parallel-immediate path-as-is post301 post302 post303 progress-bar
  proxy-anyauth proxy-basic proxy-digest proxy-insecure proxy-negotiate proxy-ntlm proxytunnel raw remote-header-name remote-name
  remote-name-all remote-time remove-on-error retry-all-errors retry-connrefused sasl-ir show-error silent skip-existing socks5-basic
  socks5-gssapi ssl ssl-allow-beast ssl-auto-client-cert ssl-no-revoke ssl-reqd ssl-revoke-best-effort sslv2 sslv3 styled-output
  suppress-connect-headers tcp-fastopen tcp-nodelay tftp-no-options tlsv1 tlsv1.0 tlsv1.1 tlsv1.2 tlsv1.3 tr-encoding trace-ids trace-time
  use-ascii verbose version xattr`.split(/\s+/),
  longValues: `abstract-unix-socket alt-svc aws-sigv4 cacert capath cert cert-type ciphers config connect-timeout connect-to continue-at cookie
  cookie-jar create-file-mode crlfile curves data data-ascii data-binary data-raw data-urlencode delegation dns-interface dns-ipv4-addr
  dns-ipv6-addr dns-servers doh-url dump-header ech egd-file engine etag-compare etag-save expect100-timeout form form-string ftp-account
  ftp-alternative-to-user ftp-method ftp-port ftp-ssl-ccc-mode happy-eyeballs-timeout-ms header hostpubmd5 hostpubsha256 hsts interface ipfs-gateway
  json keepalive-time key key-type krb libcurl limit-rate local-port login-options mail-auth mail-from mail-rcpt max-filesize max-redirs
  max-time netrc-file noproxy oauth2-bearer output output-dir parallel-max pass pinnedpubkey preproxy proto proto-default proto-redir proxy
  proxy-cacert proxy-capath proxy-cert proxy-cert-type proxy-ciphers proxy-crlfile proxy-header proxy-key proxy-key-type proxy-pass
  proxy-pinnedpubkey proxy-service-name proxy-tls13-ciphers proxy-tlsauthtype proxy-tlspassword proxy-tlsuser proxy-user proxy1.0 pubkey
  quote random-file range rate referer request request-target resolve retry retry-delay retry-max-time sasl-authzid service-name socks4
  socks4a socks5 socks5-gssapi-service socks5-hostname speed-limit speed-time stderr telnet-option tftp-blksize time-cond tls-max
  tls13-ciphers tlsauthtype tlspassword tlsuser trace trace-ascii trace-config unix-socket upload-file url url-query user user-agent
  variable write-out`.split(/\s+/)
}

const WGET: OptionTable = {
  flags: 'bdqvcSNFEkKmpHLrhVxn46j', values: 'oaeiOtTwQPlADIXRUBn',
  long: `background debug quiet verbose no-verbose continue server-response timestamping no-if-modified-since no-use-server-timestamps force-html
  no-clobber show-progress spider no-check-certificate no-proxy no-dns-cache no-cookies no-cache no-http-keep-alive ignore-length
  content-disposition content-on-error trust-server-names no-directories force-directories no-host-directories protocol-directories
  adjust-extension convert-links backup-converted mirror page-requisites span-hosts relative recursive no-parent help version
  inet4-only inet6-only https-only no-hsts no-config random-wait retry-connrefused no-netrc no-passive-ftp no-glob no-iri auth-no-challenge
  save-headers no-warc-compression keep-session-cookies ask-password delete-after unlink no-verbose progress-bar html-extension`.split(/\s+/),
  longValues: `output-file append-output execute input-file base config tries output-document start-pos progress dns-timeout
  connect-timeout read-timeout timeout wait waitretry limit-rate quota bind-address prefer-family user password default-page cut-dirs
  directory-prefix header max-redirect proxy-user proxy-password referer user-agent post-data post-file method body-data body-file
  secure-protocol certificate certificate-type private-key private-key-type ca-certificate ca-directory crl-file pinnedpubkey random-file
  egd-file ciphers hsts-file load-cookies save-cookies level accept reject accept-regex reject-regex regex-type domains exclude-domains
  include-directories exclude-directories follow-tags ignore-tags use-askpass warc-file warc-header warc-max-size warc-dedup warc-tempdir
  rejected-log local-encoding remote-encoding restrict-file-names ftp-user ftp-password preferred-location retry-on-http-error
  report-speed compression`.split(/\s+/),
  longOptional: ['backups']
}

/** Options that take a file whose words are read as further options or as secrets, or that load or run something. */
const CURL_NEVER = new Set(['-K', '--config', '--engine', '--libcurl', '--netrc-file', '-n', '--netrc', '--netrc-optional', '-E', '--cert', '--key', '--proxy-cert', '--proxy-key', '--unix-socket', '--abstract-unix-socket', '-x', '--proxy', '--preproxy', '--proxy1.0', '--socks4', '--socks4a', '--socks5', '--socks5-hostname', '--proto-default', '-Q', '--quote', '--doh-url', '--egd-file', '--random-file', '-t', '--telnet-option', '--ipfs-gateway', '--haproxy-protocol', '--xattr'])
const CURL_WRITES = new Set(['-o', '--output', '--output-dir', '-D', '--dump-header', '-c', '--cookie-jar', '--trace', '--trace-ascii', '--stderr', '--etag-save', '--hsts', '--alt-svc'])
const CURL_SENDS = new Set(['-T', '--upload-file', '--etag-compare', '--cacert', '--capath', '--crlfile', '--pubkey'])
const CURL_SENDS_AT = new Set(['-d', '--data', '--data-ascii', '--data-binary', '--data-urlencode', '--json', '-F', '--form', '-H', '--header', '--proxy-header', '-w', '--write-out', '--variable', '--url-query', '--url', '--trace-config', '-b', '--cookie'])
const WGET_NEVER = new Set(['-e', '--execute', '--use-askpass', '--config', '-i', '--input-file', '--private-key', '--certificate', '--load-cookies', '--bind-address'])
const WGET_WRITES = new Set(['-O', '--output-document', '-o', '--output-file', '-a', '--append-output', '-P', '--directory-prefix', '--save-cookies', '--hsts-file', '--warc-file', '--warc-tempdir', '--rejected-log'])
const WGET_SENDS = new Set(['--post-file', '--body-file', '--ca-certificate', '--ca-directory', '--crl-file'])

/** Returns what is not covered about a call of curl. */
export function checkCurl(args: readonly Arg[]): string | undefined {
  const parsed = parseOptions(args, CURL)
  if (typeof parsed === 'string') return `the argument ${parsed} of curl is not known`
  for (const { name, value } of parsed.options) {
    if (CURL_NEVER.has(name)) return `curl ${name} is not covered`
    if (value === undefined) continue
    if (CURL_WRITES.has(name) && !ordinaryTarget(value)) return `curl would write ${displayShape(value)}`
    if (CURL_SENDS.has(name) && !ordinarySource(value)) return `curl would read ${displayShape(value)}`
    if (CURL_SENDS_AT.has(name)) {
      const problem = checkSent(name, value)
      if (problem !== undefined) return problem
    }
  }
  const named = parsed.options.some(({ name }) => ['-O', '-J', '--remote-name', '--remote-name-all', '--remote-header-name'].includes(name))
  const hidden = named ? parsed.operands.find((url) => /\/\.[^/?#]+(?:[?#]|$)/.test(url.shape)) : undefined
  if (hidden !== undefined) return `curl would write the hidden file of ${displayShape(hidden)}`
  return checkUrls('curl', [...parsed.operands, ...parsed.options.flatMap((o) => (o.name === '--url' && o.value !== undefined ? [o.value] : []))])
}

/** Values in which an at sign names a local file. */
function checkSent(name: string, value: Arg): string | undefined {
  const { shape } = value
  if ((name === '-w' || name === '--write-out') && /%output|%\{(?:stderr_to|output)/.test(shape)) return 'curl -w would write a file'
  let file: string | undefined
  if (name === '-F' || name === '--form') file = /=[@<]([^;]*)/.exec(shape)?.[1]
  else if (name === '-b' || name === '--cookie') file = shape.includes('=') ? undefined : shape
  else if (name === '--data-urlencode' || name === '--url-query' || name === '--variable') file = /^[^=]*@(.*)/.exec(shape)?.[1]
  else if (shape.startsWith('@')) file = shape.slice(1)
  if (name === '--variable' && shape.startsWith('%')) return 'curl --variable would read the environment'
  if (file === undefined || file === '-') return undefined
  return ordinarySource({ ...value, shape: file }) ? undefined : `curl would send ${file.replaceAll(HOLE, '…')}`
}

/** Returns what is not covered about a call of wget. */
export function checkWget(args: readonly Arg[]): string | undefined {
  // `-nv`, `-nc`, `-np`, `-nd`, `-nH` are one option each.
  const words = args.filter((arg) => !/^-n[vcpdH]+$/.test(arg.value ?? ''))
  const parsed = parseOptions(words, WGET)
  if (typeof parsed === 'string') return `the argument ${parsed} of wget is not known`
  for (const { name, value } of parsed.options) {
    if (WGET_NEVER.has(name)) return `wget ${name} is not covered`
    if (value === undefined) continue
    if (WGET_WRITES.has(name) && !ordinaryTarget(value)) return `wget would write ${displayShape(value)}`
    if (WGET_SENDS.has(name) && !ordinarySource(value)) return `wget would read ${displayShape(value)}`
  }
  return checkUrls('wget', parsed.operands)
}

function checkUrls(name: string, urls: readonly Arg[]): string | undefined {
  for (const url of urls) {
    const shape = url.shape.trim()
    if (url.unknown.includes('input')) return `${name} would fetch addresses that are only known when it runs`
    const scheme = /^([^/:?#]*):(?!\d+(?:[/?#]|$))/.exec(shape)?.[1] ?? ''
    const isUser = /^[^/]*:[^/]*@/.test(shape) && !shape.includes('://')
    if (scheme !== '' && !isUser && !/^(?:https?|ftps?|wss?)$/i.test(scheme) && !/^[\w.-]+$/.test(scheme)) return `${name} would use the scheme ${scheme.replaceAll(HOLE, '…')}`
    if (/^(?:file|scp|sftp|smbs?|dict|gopher|telnet|tftp|ldaps?|imaps?|pop3s?|smtps?|rtmp|rtsp|mqtt)$/i.test(scheme)) return `${name} would use the scheme ${scheme}`
    if (/^(?:[a-z]+:\/\/)?(?:[^/@]*@)?(?:169\.254\.169\.254|\[?fd00:ec2::254\]?|metadata\.google\.internal|metadata\.goog|100\.100\.100\.200|2852039166|0xa9fea9fe)(?=[:/?#]|$)/i.test(shape)) {
      return `${name} would reach the metadata service of the machine, which gives out credentials`
    }
    if (secretPath({ ...url, shape: shape.startsWith('@') ? shape.slice(1) : '' })) return `${name} would read ${shape}`
  }
  return undefined
}

/** A place that a fetched file may be written to: below the working directory, or below /tmp. */
export function ordinaryTarget(target: Arg): boolean {
  const { shape } = target
  if (shape === '-' || shape === '/dev/null' || shape === '/dev/stdout' || shape === '/dev/stderr') return true
  if (shape.startsWith(HOLE) && !target.unknown.every((kind) => kind === 'variable')) return false
  const path = shape.replace(/^\/tmp(?:\/|$)/, '')
  if (/^[/~]/.test(path) || secretPath(target)) return false
  return path.split('/').every((part) => part !== '..' && (part === '.' || !part.startsWith('.')))
}

/** A local file that may be sent: below the working directory or /tmp, and not secret. */
function ordinarySource(source: Arg): boolean {
  return ordinaryTarget(source)
}

/** dig, host, nslookup and ping only read a file when they are told to. */
export function checkLookup(name: string, args: readonly Arg[]): string | undefined {
  const options = new Set(args.map((arg) => arg.shape.slice(0, 2)))
  if (name === 'dig' && (options.has('-f') || options.has('-k'))) return 'dig would read its queries or keys from a file'
  return undefined
}

