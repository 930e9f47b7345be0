// Methods that this host cannot run, because another host of its cluster has the work that they are about.
import { isRecord, isWireError, WireError } from '@mynah/contract'
import { HOUSE, type Cluster, type Logger, type Reader, type Ref } from '@mynah/kernel'
import type { BoundMethod } from './api.js'
import type { Call, Principal } from '@mynah/plugin-http-core/api'

type Request = Readonly<Record<string, unknown>> & { readonly type: string }
type Dispatch = (request: Request, call: Call) => Promise<unknown>

const METHOD = 'console-rpc'
const LIMIT_MS = 10_000

/** A call that reached another host. */
interface PassedCall {
  readonly request: Request
  readonly principal: Principal
  readonly requestId: string
  readonly address: string
  readonly origin: string | null
}

/** Answers the calls that reach other hosts and are about the work of this one. Returns how to stop. */
export function answerOthers(cluster: Ref<Cluster>, dispatch: Dispatch, log: Logger): () => void {
  let stop = (): void => {}
  const follow = (current: Cluster | undefined): void => {
    stop()
    stop = current?.answer(METHOD, (params) => run(params, dispatch, log)) ?? (() => {})
  }
  follow(cluster.current)
  cluster.onChange(follow)
  return () => stop()
}

/**
 * Runs a method by the host that has the place of the call; here, where the method has no place. Where this host does
 * not know the method or is not ready for it, the one that owns {@link HOUSE} runs it.
 */
export async function runOrAsk(
  cluster: Cluster | undefined,
  methods: Reader<BoundMethod>,
  dispatch: Dispatch,
  request: Request,
  call: Call,
): Promise<unknown> {
  if (!cluster) return dispatch(request, call)
  const place = await placeOf(methods.get(request.type)?.value, request)
  if (place !== undefined && cluster.isElsewhere(place)) return ask(cluster, place, request, call)
  if (!cluster.isElsewhere(HOUSE)) return dispatch(request, call)
  try {
    return await dispatch(request, call)
  } catch (error) {
    // In both cases nothing was done here.
    if (!isWireError(error) || (error.code !== 'unknown_method' && error.code !== 'not_ready')) throw error
    return ask(cluster, HOUSE, request, call)
  }
}

async function placeOf(method: BoundMethod | undefined, request: Request): Promise<string | undefined> {
  if (!method?.place) return undefined
  const params = method.declaration.nested ? request.data : request
  return isRecord(params) ? method.place(params) : undefined
}

async function ask(cluster: Cluster, place: string, request: Request, call: Call): Promise<unknown> {
  // The other host cannot see who has sent it.
  await call.assertForeignSender(request.type)
  const { principal, requestId, address, origin } = call
  const passed: PassedCall = { request, principal, requestId, address, origin: origin ?? null }
  return cluster.call(place, METHOD, passed)
}

async function run(params: unknown, dispatch: Dispatch, log: Logger): Promise<unknown> {
  if (!isPassed(params)) throw new WireError('invalid_request', 'The other host has another version')
  const { request, principal, requestId, address, origin } = params
  return dispatch(request, {
    principal,
    requestId,
    address,
    origin: origin ?? undefined,
    signal: AbortSignal.timeout(LIMIT_MS),
    log,
    setStatus() {},
    assertForeignSender: () => Promise.resolve(),
  })
}

const isPassed = (params: unknown): params is PassedCall =>
  isRecord(params) &&
  isRecord(params.request) &&
  typeof params.request.type === 'string' &&
  isRecord(params.principal) &&
  typeof params.requestId === 'string'
