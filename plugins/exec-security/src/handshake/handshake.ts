import type { Duplex } from 'node:stream'
import type { ChildProcess } from 'node:child_process'

/** The descriptor on which bash asks whether the host still lives. */
export const DESCRIPTOR = 10
const READY = 'r'
const GO = 'g'

/**
 * Returns the script of a command. It asks the host before anything begins, because a host that dies during the start
 * could not end it: `--die-with-parent` and PR_SET_PDEATHSIG have a gap before they hold. A dead host answers nothing.
 * The command has lines of its own, which bash reads only after the first one has run, so it cannot change it.
 *
 * @param prelude what runs before the command, such as limits, on one line
 */
export const handshakeScript = (prelude: string, command: string): string =>
  `printf ${READY} >&${DESCRIPTOR}; read -rn1 -u${DESCRIPTOR} _ || exit; exec ${DESCRIPTOR}>&-; ${prelude}\n${command}`

/** Answers the question of {@link handshakeScript} once. */
export function answerHandshake(child: ChildProcess): void {
  const pipe = (child.stdio as readonly unknown[])[DESCRIPTOR] as Duplex | null | undefined
  if (!pipe) return
  // The command ends when it likes, also before it has read the answer.
  pipe.on('error', () => pipe.destroy())
  pipe.once('data', () => void pipe.end(GO))
}
