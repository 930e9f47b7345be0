import { isRecord, isWireError, reducer, WireError, type Code } from '@mynah/contract'
import { assertFits } from '@mynah/contract/validate'
import type { HostControl, Reader } from '@mynah/kernel'
import type { Call } from '@mynah/plugin-http-core/api'
import type { BoundMethod } from './api.js'

type Fields = Record<string, unknown>

/** A failure of a method. */
class MethodFailure extends WireError {
  /** Always 400, because the HTTP request itself was valid; 403 for refinements of `forbidden`. */
  override get status(): number {
    return this.code.startsWith('forbidden:') ? 403 : 400
  }
}

function failureOf(error: unknown, type: string, owner: string, call: Call, host: HostControl): MethodFailure {
  if (isWireError(error)) {
    const { details, data, retryAfter } = error
    return new MethodFailure(error.code, error.message, {
      cause: error,
      ...(details ? { details } : {}),
      ...(data === undefined ? {} : { data }),
      ...(retryAfter === undefined ? {} : { retryAfter }),
    })
  }
  host
    .loggerOf(owner)
    .error(`${type} failed`, { requestId: call.requestId, stack: error instanceof Error ? error.stack : String(error) })
  return new MethodFailure(
    'internal' satisfies Code,
    `Internal error; the log of the host has the cause under ${call.requestId}`,
    {
      cause: error,
    },
  )
}

/** Returns the parameters: `data` for nested methods, otherwise all fields except those of the envelope. */
function paramsOf({ declaration }: BoundMethod, request: Fields): Fields {
  if (declaration.nested) {
    const data = request.data ?? {}
    if (!isRecord(data))
      throw new WireError('invalid_request', 'data must be object', {
        details: [{ path: 'data', message: 'must be object' }],
      })
    return data
  }
  const { type: _type, requestId: _requestId, ...params } = request
  return params
}

/** Returns the call with the logger of the owner of the method. */
function callOf(call: Call, owner: string, host: HostControl): Call {
  return Object.freeze({
    principal: call.principal,
    requestId: call.requestId,
    get signal() {
      return call.signal
    },
    get log() {
      return host.loggerOf(owner)
    },
    get address() {
      return call.address
    },
    get origin() {
      return call.origin
    },
    setStatus: (status: number) => call.setStatus(status),
    assertForeignSender: (action: string) => call.assertForeignSender(action),
  })
}

/** Returns a function that runs the method of a request and reduces its result to the declared fields. */
export function dispatcher(
  methods: Reader<BoundMethod>,
  host: HostControl,
): (request: Fields & { type: string }, call: Call) => Promise<unknown> {
  return async (request, call) => {
    const { type } = request
    const bound = methods.get(type)
    const scope = bound?.value.declaration.scope ?? 'full'
    if (call.principal.scope !== 'full' && scope !== 'demo')
      throw new WireError('forbidden', 'A demo token may not do this')
    if (!bound) throw new WireError('unknown_method', `No plugin provides the method "${type}"`)
    const { value: method, owner } = bound
    try {
      if (method.declaration.reads !== true) await call.assertForeignSender(type)
      const params = paramsOf(method, request)
      if (method.declaration.params)
        assertFits(method.declaration.params, params, method.declaration.nested ? 'data' : '')
      return reducer(method.declaration.data)(await method.handler(params, callOf(call, owner, host)))
    } catch (error) {
      throw failureOf(error, type, owner, call, host)
    }
  }
}
