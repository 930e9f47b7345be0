import { service, type Service } from '@mynah/kernel'
import type { FilePart, ImagePart, TextPart } from '@mynah/plugin-ai/api'

/** The unchanged result of a tool. Its text is foreign and not yet marked as such. */
export interface McpResult {
  readonly content: readonly (TextPart | ImagePart | FilePart)[]
  /** All text of the content. */
  readonly text: string
  /** Structured data that the server returned in addition to the text. */
  readonly structured?: unknown
  readonly isError: boolean
}

/** A tool that a server lists. */
export interface McpToolView {
  /** The server's own name for it. */
  readonly name: string
  readonly description: string
  /** Whether the description changed since it was accepted. A held tool cannot be called until it is accepted again. */
  readonly held: boolean
  /** The accepted description of a held tool. */
  readonly accepted?: string
}

/** A tool that a server lists and that is not offered. */
export interface LeftOutTool {
  /** The server's own name for it. Empty where it has none. */
  readonly name: string
  /** The reason, as the rest of a sentence after the name. */
  readonly reason: string
}

/** The current state of a server. */
export interface McpServerView {
  readonly name: string
  readonly transport: 'stdio' | 'http' | 'sse'
  readonly connected: boolean
  /** Time of the last connect or disconnect, in milliseconds since the epoch. */
  readonly since: number
  /** Number of tools that can be called. */
  readonly toolCount: number
  readonly tools: readonly McpToolView[]
  /** Listed tools that cannot be used. Absent without any. */
  readonly leftOut?: readonly LeftOutTool[]
  /** Set when the configuration disables the server. */
  readonly disabled?: true
  /** Reason why it is not connected, or tools that were left out. */
  readonly lastError?: string
  /** Time of the next attempt to connect, in milliseconds since the epoch. */
  readonly nextTryAt?: number
}

/** Options of a call. */
export interface McpCallOptions {
  readonly signal?: AbortSignal
  progress?(text: string): void
}

/** The supervised servers of `ai.mcpServers`. */
export interface McpServers {
  list(): readonly McpServerView[]
  /**
   * Calls a tool by the server's own name for it. Connects an unavailable server first, unless it has just failed.
   * A call that is interrupted is never repeated.
   *
   * @throws WireError `not_found` if the server or the tool does not exist, `not_ready` if the server is unavailable or
   * disconnects during the call.
   */
  call(
    server: string,
    tool: string,
    input: Readonly<Record<string, unknown>>,
    options?: McpCallOptions,
  ): Promise<McpResult>
  /** Stops a server and starts it again. Returns whether it is connected. */
  restart(server: string): Promise<boolean>
  /** Accepts all listed tools of a server. Returns the number of tools that were held. */
  accept(server: string): Promise<number>
}
export const McpServers: Service<McpServers> = service<McpServers>('mcp-servers', { plugin: 'mcp' })
