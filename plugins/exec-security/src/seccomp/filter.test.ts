// The filter as a value for both architectures, and as the kernel runs it here.
import { expect } from 'chai'
import { seccompFilter } from './filter.js'
import { SYSTEM_CALLS } from './system-calls.js'

const [ALLOW, EPERM, ENOSYS, KILL] = [0x7fff0000, 0x00050001, 0x00050026, 0x80000000]

/** Runs a filter as the kernel does: `struct seccomp_data` has the number, the architecture and six arguments. */
function run(filter: Buffer, number: number, audit: number, args: readonly number[] = []): number {
  const data = Buffer.alloc(64)
  data.writeUInt32LE(number, 0)
  data.writeUInt32LE(audit, 4)
  args.forEach((value, i) => data.writeUInt32LE(value >>> 0, 16 + 8 * i))
  let loaded = 0
  for (let at = 0; at < filter.length / 8; at++) {
    const code = filter.readUInt16LE(at * 8)
    const value = filter.readUInt32LE(at * 8 + 4)
    if (code === 0x06) return value
    if (code === 0x20) {
      loaded = data.readUInt32LE(value)
      continue
    }
    const tests: Readonly<Record<number, boolean>> = {
      0x15: loaded === value,
      0x35: loaded >= value,
      0x45: (loaded & value) !== 0,
    }
    at += filter.readUInt8(at * 8 + (tests[code] ? 2 : 3))
  }
  throw new Error('the filter has no answer')
}

describe('seccompFilter', () => {
  for (const name of ['x64', 'arm64'] as const) {
    const filter = seccompFilter(name) as Buffer
    const calls = SYSTEM_CALLS[name] as NonNullable<(typeof SYSTEM_CALLS)['x64']>
    const ask = (number: number, ...args: readonly number[]): number => run(filter, number, calls.audit, args)

    it(`refuses what no command needs, and nothing else: ${name}`, () => {
      for (const [call, number] of Object.entries(calls.refused)) expect(ask(number), call).to.equal(EPERM)
      const known = new Set([...Object.values(calls.refused), calls.clone3, calls.openat2])
      for (let number = 0; number < 470; number++)
        if (!known.has(number) && number !== calls.socket) expect(ask(number), String(number)).to.equal(ALLOW)
    })

    it(`sees the arguments of clone, socket and ioctl: ${name}`, () => {
      expect(ask(calls.clone3)).to.equal(ENOSYS)
      expect(ask(calls.clone, 0x01200011)).to.equal(ALLOW)
      for (const flag of [0x02000000, 0x04000000, 0x08000000, 0x10000000, 0x20000000, 0x40000000, 0x00020000])
        expect(ask(calls.clone, flag | 17), flag.toString(16)).to.equal(EPERM)
      for (const family of [1, 2, 10, 16]) expect(ask(calls.socket, family), String(family)).to.equal(ALLOW)
      for (const family of [0, 3, 17, 38, 40]) expect(ask(calls.socket, family), String(family)).to.equal(EPERM)
      for (const request of [0x5412, 0x541c]) expect(ask(calls.ioctl, 1, request)).to.equal(EPERM)
      expect(ask(calls.ioctl, 1, 0x5401)).to.equal(ALLOW)
    })

    it(`refuses files that run with the rights of their owner: ${name}`, () => {
      expect(ask(calls.openat2)).to.equal(ENOSYS)
      for (const mode of [0o4755, 0o2755, 0o6000]) {
        for (const number of calls.modeSecond) expect(ask(number, 1, mode), String(number)).to.equal(EPERM)
        for (const number of calls.modeThird) expect(ask(number, 1, 1, mode), String(number)).to.equal(EPERM)
        for (const flags of [0x41, 0x410002]) {
          expect(ask(calls.openat, 1, 1, flags, mode)).to.equal(EPERM)
          if (calls.open !== undefined) expect(ask(calls.open, 1, flags, mode)).to.equal(EPERM)
        }
        // Without a new file the mode is whatever was in the register.
        expect(ask(calls.openat, 1, 1, 0x8000, mode)).to.equal(ALLOW)
      }
      for (const number of calls.modeSecond) expect(ask(number, 0o4000, 0o1755), String(number)).to.equal(ALLOW)
      for (const number of calls.modeThird) expect(ask(number, 0, 0o4000, 0o644), String(number)).to.equal(ALLOW)
      expect(ask(calls.openat, 1, 1, 0x41, 0o1777)).to.equal(ALLOW)
    })

    it(`ends a program of another architecture: ${name}`, () => {
      expect(run(filter, 0, 0x40000003)).to.equal(KILL)
    })
  }

  it('refuses the second table of x64', () => {
    expect(run(seccompFilter('x64') as Buffer, 0x40000000 + 101, 0xc000003e)).to.equal(ENOSYS)
  })

  it('does not exist where the numbers are not known', () => {
    expect(seccompFilter('riscv64')).to.equal(undefined)
  })
})
