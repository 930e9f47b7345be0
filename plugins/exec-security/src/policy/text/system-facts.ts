import { anyOf } from '../any-of.js'

/** Trees that are out of reach but for the few harmless files below. */
export const SYSTEM: readonly string[] = ['/proc', '/sys', '/run', '/var/run', '/dev']

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
