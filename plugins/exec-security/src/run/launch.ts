import type { ExecLevel } from '../levels/level.js'

/** How bash is started for one command. */
export interface Launch {
  readonly file: string
  readonly args: readonly string[]
  /** The folder that the program starts in. */
  readonly cwd: string
  /** Variables of the command beyond those that every command gets. */
  readonly env: Readonly<Record<string, string>>
  /** The BPF program on the descriptor that bwrap reads. */
  readonly filter?: Buffer | undefined
  /** Descriptors of this process that the program gets from {@link FIRST_DESCRIPTOR} on, and closes. */
  readonly descriptors?: readonly number[] | undefined
  /** Whether the command asks the host before it starts, see `handshakeScript`. */
  readonly asks: boolean
}

/** Starts commands at one level. */
export interface Launcher {
  readonly level: ExecLevel
  /** @param command the text for bash */
  launch(command: string): Promise<Launch>
  /** Ends what holds the command from outside when it has ended. */
  ended?(): Promise<void>
}
