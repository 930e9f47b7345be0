// The used part of the driver, which has no types of its own.
declare module 'pg' {
  interface Result<R> {
    readonly rows: R[]
    readonly rowCount: number | null
  }
  export class Client {
    constructor(options: {
      readonly connectionString: string
      readonly application_name: string
      readonly connectionTimeoutMillis: number
      readonly query_timeout: number
      readonly keepAlive: boolean
      readonly options?: string
    })
    connect(): Promise<void>
    query<R>(sql: string, parameters?: readonly unknown[]): Promise<Result<R>>
    on(event: 'error', listener: (error: Error) => void): this
    on(event: 'end', listener: () => void): this
    on(event: 'notification', listener: (message: { channel: string; payload?: string }) => void): this
    end(): Promise<void>
  }
  const driver: { readonly Client: typeof Client }
  export default driver
}
