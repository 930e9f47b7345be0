import { couldReach, hasWild } from './patterns.js'
import { anyOf } from './any-of.js'
/** Trees that are out of reach but for the few harmless files below. */
export const SYSTEM: readonly string[] = ['/proc', '/sys', '/run', '/var/run', '/dev']

/** Paths where output may go. The file behind standard input would be opened once more, for writing. */
export const HARMLESS_OUTPUT = /^\/dev\/(?:null|zero|full|tty|std(?:out|err)|fd\/[12])$|^\/proc\/self\/fd\/[12]$/
/** Devices that may be read. */
export const HARMLESS_DEVICE =
  /^\/dev\/(?:null|zero|full|u?random|tty|std(?:in|out|err)|fd\/[0-2])$|^\/proc\/self\/fd\/[0-2]$/

/** Files of the system with facts about the machine, and none about its users. */
export const HARMLESS_SYSTEM = anyOf(
  /^\/proc\/(?:cpuinfo|meminfo|loadavg|uptime|version|stat|vmstat|filesystems|partitions|swaps|diskstats|devices)$/,
  /^\/proc\/(?:modules|interrupts|mounts|net\/(?:dev|route|snmp|sockstat))$/,
  /^\/proc\/(?:self|\d+)\/(?:status|stat|statm|limits|cgroup|comm|mounts|loginuid|oom_score(?:_adj)?)$/,
  /^\/proc\/(?:pressure\/\w+|sys\/kernel\/(?:hostname|osrelease|ostype|pid_max|random\/(?:uuid|entropy_avail)))$/,
  /^\/proc\/sys\/(?:vm\/\w+|fs\/file-(?:max|nr))$/,
  /^\/sys\/(?:class\/(?:net|thermal|power_supply|hwmon|block|dmi)|block|devices\/system\/cpu)\/[\w.:/-]+$/,
  /^\/sys\/fs\/cgroup\/[\w.:/-]+$/,
  /^\/(?:var\/)?run\/(?:systemd\/resolve\/(?:stub-)?resolv\.conf|motd\.dynamic|reboot-required)$/,
)

/** Further folders that may be listed. */
export const LISTED_SYSTEM = /^\/(?:proc|sys|dev|run|var\/run)$|^\/dev\/[\w/-]*$|^\/sys\/[\w.:/-]*$|^\/run\/[\w.-]+$/

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
