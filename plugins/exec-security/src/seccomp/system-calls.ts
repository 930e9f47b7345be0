/** Numbers of system calls, from `arch/x86/entry/syscalls/syscall_64.tbl` and `scripts/syscall.tbl` of the kernel. */
export interface SystemCalls {
  /** `AUDIT_ARCH_*` of `linux/audit.h`, by which a filter knows whose numbers it sees. */
  readonly audit: number
  /** Whether the architecture has a second table from this number on, as x32 of x64. */
  readonly secondTable?: number
  readonly clone: number
  readonly clone3: number
  readonly ioctl: number
  readonly socket: number
  /** Its flags are in memory, which a filter cannot see. */
  readonly openat2: number
  readonly open?: number
  readonly openat: number
  /** Calls with the mode of a file as their second argument, and as their third. */
  readonly modeSecond: readonly number[]
  readonly modeThird: readonly number[]
  /** Calls that a command never needs: they reach other processes, change mounts or make the kernel's own code run. */
  readonly refused: Readonly<Record<string, number>>
}

/** New calls have the same number everywhere. */
const COMMON = {
  io_uring_setup: 425,
  io_uring_enter: 426,
  io_uring_register: 427,
  open_tree: 428,
  move_mount: 429,
  fsopen: 430,
  fsconfig: 431,
  fsmount: 432,
  fspick: 433,
  pidfd_getfd: 438,
  mount_setattr: 442,
}

/** The calls by the architectures of Node. Elsewhere no filter can be made. */
export const SYSTEM_CALLS: Readonly<Partial<Record<NodeJS.Architecture, SystemCalls>>> = {
  x64: {
    audit: 0xc000003e,
    secondTable: 0x40000000,
    clone: 56,
    clone3: 435,
    ioctl: 16,
    socket: 41,
    openat2: 437,
    open: 2,
    openat: 257,
    // creat, chmod, fchmod, mknod
    modeSecond: [85, 90, 91, 133],
    // mknodat, fchmodat, fchmodat2
    modeThird: [259, 268, 452],
    refused: {
      ...COMMON,
      ptrace: 101,
      syslog: 103,
      vhangup: 153,
      pivot_root: 155,
      chroot: 161,
      acct: 163,
      settimeofday: 164,
      mount: 165,
      umount2: 166,
      swapon: 167,
      swapoff: 168,
      reboot: 169,
      init_module: 175,
      delete_module: 176,
      quotactl: 179,
      nfsservctl: 180,
      lookup_dcookie: 212,
      clock_settime: 227,
      kexec_load: 246,
      add_key: 248,
      request_key: 249,
      keyctl: 250,
      unshare: 272,
      perf_event_open: 298,
      name_to_handle_at: 303,
      open_by_handle_at: 304,
      setns: 308,
      process_vm_readv: 310,
      process_vm_writev: 311,
      kcmp: 312,
      finit_module: 313,
      kexec_file_load: 320,
      bpf: 321,
      userfaultfd: 323,
    },
  },
  arm64: {
    audit: 0xc00000b7,
    clone: 220,
    clone3: 435,
    ioctl: 29,
    socket: 198,
    openat2: 437,
    openat: 56,
    // fchmod
    modeSecond: [52],
    // mknodat, fchmodat, fchmodat2
    modeThird: [33, 53, 452],
    refused: {
      ...COMMON,
      lookup_dcookie: 18,
      umount2: 39,
      mount: 40,
      pivot_root: 41,
      nfsservctl: 42,
      chroot: 51,
      vhangup: 58,
      quotactl: 60,
      acct: 89,
      unshare: 97,
      kexec_load: 104,
      init_module: 105,
      delete_module: 106,
      clock_settime: 112,
      syslog: 116,
      ptrace: 117,
      reboot: 142,
      settimeofday: 170,
      add_key: 217,
      request_key: 218,
      keyctl: 219,
      swapon: 224,
      swapoff: 225,
      perf_event_open: 241,
      name_to_handle_at: 264,
      open_by_handle_at: 265,
      setns: 268,
      process_vm_readv: 270,
      process_vm_writev: 271,
      kcmp: 272,
      finit_module: 273,
      bpf: 280,
      userfaultfd: 282,
      kexec_file_load: 294,
    },
  },
}
