import { service, type Service } from '@mynah/kernel'
import type { FilePart, ImagePart, TextPart } from '@mynah/plugin-ai/api'

/** What a tool of a server gave, as it came: text of others, marked by nobody yet. */
export interface McpResult {
  readonly content: readonly (TextPart | ImagePart | FilePart)[]
  /** All text of the content. */
  readonly text: string
  /** What the server gave as data beside the text. */
  readonly structured?: unknown
  readonly isError: boolean
}

/** A tool that a server lists. */
export interface McpToolView {
  /** The server's own name for it. */
  readonly name: string
  readonly description: string
  /** Its description changed since it was accepted: nobody may call it until it is accepted again. */
  readonly held: boolean
  /** Of a held tool: the description that was accepted. */
  readonly accepted?: string
}

/** A server as it is now. */
export interface McpServerView {
  readonly name: string
  readonly transport: 'stdio' | 'http' | 'sse'
  readonly connected: boolean
  /** When it became connected or unconnected, ms since the epoch. */
  readonly since: number
  /** Tools that may be called. */
  readonly toolCount: number
  readonly tools: readonly McpToolView[]
  /** Switched off in the configuration. */
  readonly disabled?: true
  /** Why it is not connected, or what of its tools was left out. */
  readonly lastError?: string
  /** When it is tried again, ms since the epoch. */
  readonly nextTryAt?: number
}

/** What a call may be given. */
export interface McpCallOptions {
  readonly signal?: AbortSignal
  progress?(text: string): void
}

/** The servers of `ai.mcpServers`, each supervised. */
export interface McpServers {
  list(): readonly McpServerView[]
  /**
   * Calls a tool by the server's own name for it. A server that is away is tried at once, unless it has just failed. A call
   * that breaks is never repeated.
   *
   * @throws WireError `not_found` where there is no such server or tool, `not_ready` where the server is away or went away.
   */
  call(
    server: string,
    tool: string,
    input: Readonly<Record<string, unknown>>,
    options?: McpCallOptions,
  ): Promise<McpResult>
  /** Ends a server and starts it again; whether it is connected then. */
  restart(server: string): Promise<boolean>
  /** Accepts all tools of a server as they are listed now; gives the number of those that were held. */
  accept(server: string): Promise<number>
}
export const McpServers: Service<McpServers> = service<McpServers>('mcp-servers')
