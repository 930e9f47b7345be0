// The used part of the driver, which has no types of its own.
declare module 'pg' {
  class Client {
    constructor(options: { readonly connectionString: string })
    connect(): Promise<void>
    query<R>(sql: string): Promise<{ readonly rows: R[] }>
    end(): Promise<void>
  }
  const driver: { readonly Client: typeof Client }
  export default driver
}
