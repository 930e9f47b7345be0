// Frames of the wire format. The bytes of an event are built once and shared by all clients.

/** An event without an id, its payload serialized when it was published. */
export interface Draft {
  readonly type: string
  readonly json: string
  readonly timestamp: number
}

/** A frame. Frames without an id carry state and are never replayed. */
export interface Frame {
  readonly id?: number
  readonly bytes: Buffer
  readonly demo: boolean
}

/** A frame that can be replayed. */
export interface NumberedFrame extends Frame {
  readonly id: number
}

/** A position in an event log. */
export interface Position {
  readonly epoch: string
  readonly id: number
}

/** A comment that keeps the connection alive. */
export const HEARTBEAT = Buffer.from(':\n\n')

/** Returns the JSON of a payload; null for an event without one. */
export function jsonOf(data: unknown): string {
  return JSON.stringify(data) ?? 'null'
}

// JSON contains no raw line breaks, so one `data:` line is enough.
const payload = (type: string, json: string, timestamp: number): string =>
  `data: {"type":${JSON.stringify(type)},"data":${json},"timestamp":${timestamp}}\n\n`

/** Returns a frame with an id. `demo` is true if clients of demo scope may see it. */
export function numbered(epoch: string, id: number, { type, json, timestamp }: Draft, demo: boolean): NumberedFrame {
  return { id, demo, bytes: Buffer.from(`id: ${epoch}.${id}\n${payload(type, json, timestamp)}`) }
}

/** Returns a frame without an id. */
export function unnumbered(type: string, data: unknown, timestamp: number, demo: boolean): Frame {
  return { demo, bytes: Buffer.from(payload(type, jsonOf(data), timestamp)) }
}

/** Parses an id that a client sends back. Returns `undefined` if it has another format. */
export function parsePosition(text: string): Position | undefined {
  const match = /^(.{1,64})\.(0|[1-9]\d{0,14})$/.exec(text)
  return match ? { epoch: match[1] as string, id: Number(match[2]) } : undefined
}
