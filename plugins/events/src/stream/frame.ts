// What stands on the wire: one frame an event, its bytes built once and shared by all clients.

/** An event on its way, its payload fixed as text at the moment of publishing. */
export interface Draft {
  readonly type: string
  readonly json: string
  readonly timestamp: number
}

/** A frame; without an id it is state, which is told anew and never replayed. */
export interface Frame {
  readonly id?: number
  readonly bytes: Buffer
  readonly demo: boolean
}

/** A frame that can be replayed. */
export interface NumberedFrame extends Frame {
  readonly id: number
}

/** A place in an event log. */
export interface Position {
  readonly epoch: string
  readonly id: number
}

/** A comment that keeps the connection from looking dead. */
export const HEARTBEAT = Buffer.from(':\n\n')

/** The JSON of a payload; an event without one carries null. */
export function jsonOf(data: unknown): string {
  return JSON.stringify(data) ?? 'null'
}

// JSON has no raw line break, so that one `data:` line is always enough.
const payload = (type: string, json: string, timestamp: number): string =>
  `data: {"type":${JSON.stringify(type)},"data":${json},"timestamp":${timestamp}}\n\n`

/** A frame that carries an id; `demo` says whether clients of demo scope see it. */
export function numbered(epoch: string, id: number, { type, json, timestamp }: Draft, demo: boolean): NumberedFrame {
  return { id, demo, bytes: Buffer.from(`id: ${epoch}.${id}\n${payload(type, json, timestamp)}`) }
}

/** A frame that carries none. */
export function unnumbered(type: string, data: unknown, timestamp: number, demo: boolean): Frame {
  return { demo, bytes: Buffer.from(payload(type, jsonOf(data), timestamp)) }
}

/** Reads an id as a client sends it back; `undefined` where it never came from a stream like this one. */
export function parsePosition(text: string): Position | undefined {
  const match = /^(.{1,64})\.(0|[1-9]\d{0,14})$/.exec(text)
  return match ? { epoch: match[1] as string, id: Number(match[2]) } : undefined
}
