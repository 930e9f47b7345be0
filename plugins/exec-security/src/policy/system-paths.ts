import { couldReach, hasWild } from './patterns.js'
import { anyOf } from './any-of.js'

/** Paths where output may go. The file behind standard input would be opened once more, for writing. */
export const HARMLESS_OUTPUT = /^\/dev\/(?:null|zero|full|tty|std(?:out|err)|fd\/[12])$|^\/proc\/self\/fd\/[12]$/
/** Devices that may be read. */
export const HARMLESS_DEVICE =
  /^\/dev\/(?:null|zero|full|u?random|tty|std(?:in|out|err)|fd\/[0-2])$|^\/proc\/self\/fd\/[0-2]$/

const SECRET = anyOf(
  /^\/etc\/(?:shadow|gshadow|sudoers|passwd|security\/opasswd|ssl\/private|ssh\/ssh_host_\w+_key$|krb5\.keytab)/,
  /^\/(?:etc\/(?:wireguard|openvpn|networkmanager)|var\/lib\/(?:docker|kubelet|private)|root\/\.|var\/spool\/cron)/,
  /^\/var\/backups/,
)

const SECRET_FILES = [
  '/etc/shadow',
  '/etc/gshadow',
  '/etc/sudoers',
  '/etc/passwd',
  '/etc/passwd-',
  '/etc/shadow-',
  '/etc/gshadow-',
  '/etc/ssl/private',
  '/etc/ssh/ssh_host_rsa_key',
  '/etc/krb5.keytab',
]

/** Whether a path may be one of the files that hold the machine's own secrets. */
export function systemSecret(path: string): boolean {
  return SECRET.test(path.toLowerCase()) || (hasWild(path) && SECRET_FILES.some((file) => couldReach(path, file)))
}
