// The used part of swagger-client, which has no types.
declare module 'swagger-client' {
  interface Client {
    execute(request: {
      operationId: string
      parameters: Record<string, unknown>
      requestBody?: unknown
    }): Promise<unknown>
  }
  export default function SwaggerClient(options: {
    spec: object
    authorizations: Record<string, { value: string }>
  }): Promise<Client>
}
