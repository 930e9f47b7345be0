import type { Clock } from '@mynah/kernel'
import { isModelError, ModelError } from '../api/errors.js'
import type {
  Attribution,
  CallOptions,
  Candidate,
  ImageRequest,
  ImageResult,
  SpeechRequest,
  SpeechResult,
  TranscriptionRequest,
  TranscriptionResult,
  Usage,
  UsageReport,
} from '../api/models.js'
import { asErrorOf, type Secrets } from '../errors/as-model-error.js'
import { NO_USAGE } from '../api/usage.js'
import type { Connection } from '../providers/connection.js'
import type { RegisteredProvider } from '../registry/registry.js'
import { audioProvider, speak, transcribe } from './audio.js'
import { imageModelOf, makeImage } from './image.js'

const TIMEOUT_MS = 120_000

/** The parts of the service that calls for media need. */
export interface MediaHost {
  readonly clock: Clock
  watermark(): boolean
  providers(): readonly RegisteredProvider[]
  /** @throws when there is no such provider */
  named(alias: string): RegisteredProvider
  connect(provider: RegisteredProvider): Promise<Connection>
  /** @throws when the budget is used up */
  assertLeft(): void
  priced(provider: RegisteredProvider, usage: Usage): Usage
  used(kind: UsageReport['kind'], who: Candidate, usage: Usage, request: Attribution): void
  failed(who: Candidate, error: ModelError): void
}

export class MediaCalls {
  readonly #host: MediaHost

  constructor(host: MediaHost) {
    this.#host = host
  }

  image(request: ImageRequest, options: CallOptions): Promise<ImageResult> {
    const host = this.#host
    const provider = host.named(request.provider)
    const who = { provider: provider.alias, model: imageModelOf(provider, request) }
    return this.#call(who, provider.endpoint.secrets, options, async (signal) => {
      const result = await makeImage(request, {
        provider,
        signal,
        watermark: host.watermark(),
        connect: () => host.connect(provider),
      })
      const usage = host.priced(provider, result.usage)
      host.used('image', who, usage, request)
      return { ...result, usage }
    })
  }

  transcribe(request: TranscriptionRequest, options: CallOptions): Promise<TranscriptionResult> {
    const provider = audioProvider(this.#host.providers(), request.provider, 'transcription')
    const who = { provider: provider.alias, model: request.model ?? provider.family.transcriptionModel ?? '' }
    return this.#audio('transcription', who, provider.endpoint.secrets, request, options, (signal) =>
      transcribe(request, provider, { signal, connect: this.#host.connect }),
    )
  }

  speech(request: SpeechRequest, options: CallOptions): Promise<SpeechResult> {
    const provider = audioProvider(this.#host.providers(), request.provider, 'speech')
    const who = { provider: provider.alias, model: request.model ?? provider.family.speechModel ?? '' }
    return this.#audio('speech', who, provider.endpoint.secrets, request, options, (signal) =>
      speak(request, provider, { signal, connect: this.#host.connect }),
    )
  }

  /** Sound has no tokens. */
  #audio<T>(
    kind: UsageReport['kind'],
    who: Candidate,
    secrets: Secrets,
    request: Attribution,
    options: CallOptions,
    run: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    return this.#call(who, secrets, options, async (signal) => {
      const result = await run(signal)
      this.#host.used(kind, who, NO_USAGE, request)
      return result
    })
  }

  async #call<T>(
    who: Candidate,
    secrets: Secrets,
    { signal, timeout = TIMEOUT_MS }: CallOptions,
    run: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    this.#host.assertLeft()
    const abort = new AbortController()
    let over: (error: ModelError) => void = () => {}
    const ended = new Promise<never>((_resolve, reject) => (over = reject))
    const end = (error: ModelError): void => {
      abort.abort(error)
      over(error)
    }
    const stop = (): void => end(new ModelError('aborted', 'The caller gave up', who))
    const cancel = this.#host.clock.setTimeout(
      () =>
        end(new ModelError('timeout', `${who.provider}:${who.model} did not answer within ${timeout / 1000} s`, who)),
      timeout,
    )
    signal?.addEventListener('abort', stop, { once: true })
    if (signal?.aborted) stop()
    try {
      return await Promise.race([run(abort.signal), ended])
    } catch (error) {
      const failure =
        abort.signal.aborted && isModelError(abort.signal.reason) ? abort.signal.reason : asErrorOf(error, who, secrets)
      this.#host.failed(who, failure)
      throw failure
    } finally {
      cancel()
      signal?.removeEventListener('abort', stop)
    }
  }
}
