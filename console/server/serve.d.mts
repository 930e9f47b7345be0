// Types of serve.mjs.
export interface ConsoleServer {
  readonly url: string
  readonly port: number
  close(): Promise<void>
}
/**
 * Serves the built console; port 0 takes a free one, default 5173 on 127.0.0.1. `build` is the folder of the build,
 * default `dist`; `dist-demo` is the demo.
 */
export declare function serveConsole(options?: { port?: number; host?: string; build?: string }): Promise<ConsoleServer>
