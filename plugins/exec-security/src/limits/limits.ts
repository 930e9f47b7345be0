/** The share of the machine that one command may take. */
export interface ExecLimits {
  /** Processes and threads at once. */
  readonly processes: number
  /** MiB of memory. */
  readonly memoryMb: number
  /** MiB of the largest file that it may write. */
  readonly fileMb: number
  /** Open files of one process. */
  readonly openFiles: number
}

export const DEFAULT_LIMITS: ExecLimits = { processes: 512, memoryMb: 4096, fileMb: 4096, openFiles: 4096 }

const KIB_PER_MIB = 1024

/**
 * Returns the commands of bash that set the limits for itself and all that it starts. Each process is limited in memory
 * by its data, which holds most programs and not Node, which reserves more than it uses.
 *
 * @param ownUser whether the processes are counted in a user namespace of the command's own. Outside of one, the
 *   kernel counts all processes of the user, so nothing could be started next to a busy host.
 */
export function limitScript({ processes, memoryMb, fileMb, openFiles }: ExecLimits, ownUser: boolean): string {
  const limits = [
    '-c 0',
    `-n ${openFiles}`,
    `-f ${fileMb * KIB_PER_MIB}`,
    `-d ${memoryMb * KIB_PER_MIB}`,
    ...(ownUser ? [`-u ${processes}`] : []),
  ]
  // A limit of the machine may be lower already, and cannot be raised then.
  return limits.map((limit) => `ulimit ${limit} 2>/dev/null; `).join('')
}
