import { SYSTEM_CALLS } from './system-calls.js'

/** Answers of a filter, from `linux/seccomp.h`, with the error number in the lower half. */
const ALLOW = 0x7fff0000
const KILL = 0x80000000
const EPERM = 0x00050001
const ENOSYS = 0x00050026

/** Instructions of classic BPF, from `linux/bpf_common.h`. */
const LOAD = 0x20
const IF_EQUAL = 0x15
const IF_AT_LEAST = 0x35
const IF_ANY_BIT = 0x45
const RETURN = 0x06

/** Offsets in `struct seccomp_data` on a little-endian machine: the lower half of each argument. */
const NUMBER = 0
const ARCHITECTURE = 4
const FIRST = 16
const SECOND = 24
const THIRD = 32
const FOURTH = 40

/** `CLONE_NEW*` of `linux/sched.h`: each makes a namespace, in which a process has rights of its own. */
const NEW_NAMESPACE = 0x7e020000
/** `TIOCSTI` and `TIOCLINUX` write into the input of a terminal. */
const TERMINAL_INPUT = [0x5412, 0x541c]
/** `AF_UNIX`, `AF_INET`, `AF_INET6` and `AF_NETLINK`. The network namespace holds them, the view holds the names. */
const FAMILIES = [1, 2, 10, 16]

/** Bits of a mode by which a program gets the rights of its owner or group: a command could leave one for others. */
const SET_ID = 0o6000
/** `O_CREAT` and `O_TMPFILE`: without them a mode has no meaning. */
const CREATES = 0x400040

/** Bytes of one instruction. */
const SIZE = 8

/** One program of classic BPF while it is written. Jumps count the instructions that they skip. */
class Program {
  readonly #instructions: (readonly [code: number, ifTrue: number, ifFalse: number, value: number])[] = []

  load(offset: number): this {
    return this.#add(LOAD, offset)
  }

  return(answer: number): this {
    return this.#add(RETURN, answer)
  }

  /** Skips the next instructions unless the loaded value passes the test. */
  unless(test: number, value: number, skipped: number): this {
    return this.#add(test, value, 0, skipped)
  }

  /** Skips the next instructions if the loaded value passes the test. */
  when(test: number, value: number, skipped: number): this {
    return this.#add(test, value, skipped, 0)
  }

  toBuffer(): Buffer {
    const buffer = Buffer.alloc(this.#instructions.length * SIZE)
    for (const [i, [code, ifTrue, ifFalse, value]] of this.#instructions.entries()) {
      const at = i * SIZE
      buffer.writeUInt16LE(code, at)
      buffer.writeUInt8(ifTrue, at + 2)
      buffer.writeUInt8(ifFalse, at + 3)
      buffer.writeUInt32LE(value, at + 4)
    }
    return buffer
  }

  #add(code: number, value: number, ifTrue = 0, ifFalse = 0): this {
    this.#instructions.push([code, ifTrue, ifFalse, value])
    return this
  }
}

/**
 * Makes the seccomp filter of level `wall`, in the form that `bwrap --seccomp` takes. It refuses system calls that no
 * ordinary command needs. Returns undefined for an architecture whose numbers are not known.
 *
 * @param architecture as in `process.arch`
 */
export function seccompFilter(architecture: NodeJS.Architecture): Buffer | undefined {
  const calls = SYSTEM_CALLS[architecture]
  if (calls === undefined) return undefined
  const program = new Program().load(ARCHITECTURE).when(IF_EQUAL, calls.audit, 1).return(KILL).load(NUMBER)
  if (calls.secondTable !== undefined) program.unless(IF_AT_LEAST, calls.secondTable, 1).return(ENOSYS)
  for (const number of Object.values(calls.refused)) program.unless(IF_EQUAL, number, 1).return(EPERM)
  // The C library falls back to clone, whose flags a filter can see.
  program.unless(IF_EQUAL, calls.clone3, 1).return(ENOSYS)
  program.unless(IF_EQUAL, calls.clone, 4).load(FIRST).unless(IF_ANY_BIT, NEW_NAMESPACE, 1).return(EPERM).return(ALLOW)
  program.unless(IF_EQUAL, calls.openat2, 1).return(ENOSYS)
  for (const [numbers, mode] of [
    [calls.modeSecond, SECOND],
    [calls.modeThird, THIRD],
  ] as const)
    for (const number of numbers)
      program.unless(IF_EQUAL, number, 4).load(mode).unless(IF_ANY_BIT, SET_ID, 1).return(EPERM).return(ALLOW)
  for (const [number, flags, mode] of [
    [calls.open, SECOND, THIRD],
    [calls.openat, THIRD, FOURTH],
  ] as const)
    if (number !== undefined)
      program
        .unless(IF_EQUAL, number, 6)
        .load(flags)
        .unless(IF_ANY_BIT, CREATES, 3)
        .load(mode)
        .unless(IF_ANY_BIT, SET_ID, 1)
        .return(EPERM)
        .return(ALLOW)
  program.unless(IF_EQUAL, calls.ioctl, TERMINAL_INPUT.length + 3).load(SECOND)
  TERMINAL_INPUT.forEach((request, i) => program.when(IF_EQUAL, request, TERMINAL_INPUT.length - i))
  program.return(ALLOW).return(EPERM)
  program.unless(IF_EQUAL, calls.socket, FAMILIES.length + 3).load(FIRST)
  FAMILIES.forEach((family, i) => program.when(IF_EQUAL, family, FAMILIES.length - i))
  return program.return(EPERM).return(ALLOW).return(ALLOW).toBuffer()
}
