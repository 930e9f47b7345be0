// The helpers in perl make system calls by their numbers, from the kernel's tables. Newer ones have the same number
// everywhere: move_mount 429, open_tree 428, mount_setattr 442, and those of Landlock 444 to 446.

const NUMBERS: Readonly<Partial<Record<NodeJS.Architecture, Readonly<Record<string, number>>>>> = {
  x64: { PRCTL: 157, CAPSET: 126, UNSHARE: 272, MOUNT: 165 },
  arm64: { PRCTL: 167, CAPSET: 91, UNSHARE: 97, MOUNT: 40 },
}

/** Puts numbers in place of the names of system calls, or returns undefined for an architecture that is not known. */
export function withCallNumbers(text: string, architecture: NodeJS.Architecture = process.arch): string | undefined {
  const numbers = NUMBERS[architecture]
  return numbers && text.replaceAll(/\bsyscall\(([A-Z]+),/g, (_, name: string) => `syscall(${numbers[name]},`)
}
