import { point } from '@mynah/kernel'

/** A server of models in this process. Requests to it need no port. */
export interface ModelServer {
  /** Its provider has this alias, and the address `http://<alias>.invalid/v1`. Lower-case letters, digits and dashes. */
  readonly alias: string
  /** Answers a request of the chat-completions protocol, such as `GET /v1/models`. */
  handle(request: Request): Response | Promise<Response>
}

/** Servers of models in this process. They are providers as long as `ai.providers` has none. */
export const modelServers = point<ModelServer>({ id: 'ai.model-servers', key: ({ alias }) => alias })
