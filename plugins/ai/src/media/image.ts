// Making pictures, by family: which model, and which of the wishes the family knows.
import type { ImageModelV3CallOptions, SharedV3ProviderOptions } from '@ai-sdk/provider'
import { ModelError } from '../api/errors.js'
import type { ImageRequest, ImageResult, MadeImage, Usage } from '../api/models.js'
import type { ProviderConfig } from '../config.js'
import { as } from '../errors/as-model-error.js'
import { NO_USAGE } from '../api/usage.js'
import type { Connection } from '../providers/connection.js'
import type { RegisteredProvider } from '../registry/registry.js'
import { accountImage, ACCOUNT_MODEL } from './account-route.js'
import { mediaTypeOf } from './media-type.js'

/** One is asked for. */
const MOST_IMAGES = 10

/** What making a picture needs. */
export interface ImageHost {
  readonly provider: RegisteredProvider
  readonly watermark: boolean
  readonly signal: AbortSignal
  connect(): Promise<Connection>
}

/** A request with what the configuration adds to it. */
interface Wishes {
  readonly prompt: string
  readonly size: string | undefined
  readonly quality: string | undefined
  readonly aspectRatio: string | undefined
  readonly imageSize: string | undefined
  /** Only what differs from the provider's own way, or was asked for. */
  readonly watermark: boolean | undefined
}

/** The model that draws for this request. Throws `unsupported` where the family draws nothing. */
export function imageModelOf({ alias, config, family }: RegisteredProvider, request: ImageRequest): string {
  const model =
    request.model ??
    config.imageGeneration?.defaultModel ??
    (config.accountId === undefined ? family.imageModel : ACCOUNT_MODEL)
  if (!family.imageModel)
    throw new ModelError('unsupported', `${alias} makes no pictures: its family ${family.name} has none`, {
      provider: alias,
    })
  return model as string
}

/** Makes the picture. Throws {@link ModelError}. */
export async function makeImage(
  request: ImageRequest,
  host: ImageHost,
): Promise<Omit<ImageResult, 'usage'> & { readonly usage: Usage }> {
  const { provider, signal } = host
  const { alias, config } = provider
  const model = imageModelOf(provider, request)
  const wishes = wishesOf(request, config, host.watermark)
  const warnings: string[] = []
  if (config.accountId !== undefined) {
    if (wishes.quality ?? wishes.imageSize) warnings.push('quality and image size are not known to the account route')
    return {
      images: [await accountImage(provider, model, wishes.prompt, wishes.size, signal)],
      provider: alias,
      model,
      warnings,
      usage: NO_USAGE,
    }
  }
  const { image } = await host.connect()
  if (!image) throw new ModelError('unsupported', `${alias} makes no pictures`, { provider: alias })
  const options = optionsFor(provider, model, wishes, warnings, signal)
  const made = await image(model).doGenerate(options)
  if (made.images.length === 0) throw as('refusal', { provider: alias, model }, 'it made no picture')
  const images = made.images
    .slice(0, MOST_IMAGES)
    .map((data): MadeImage => {
      const bytes = typeof data === 'string' ? new Uint8Array(Buffer.from(data, 'base64')) : data
      return { data: bytes, mediaType: mediaTypeOf(bytes) }
    })
    .filter(({ mediaType }) => mediaType.startsWith('image/'))
  if (images.length === 0) throw as('server', { provider: alias, model }, 'its answer holds no picture')
  for (const warning of made.warnings)
    warnings.push('feature' in warning ? `${warning.feature} is not known to this model` : warning.message)
  const { inputTokens, outputTokens } = made.usage ?? {}
  return {
    images,
    provider: alias,
    model,
    warnings,
    usage: { input: inputTokens ?? 0, cachedInput: 0, output: outputTokens ?? 0 },
  }
}

function wishesOf(request: ImageRequest, { imageGeneration = {} }: ProviderConfig, watermark: boolean): Wishes {
  return {
    prompt: imageGeneration.promptSuffix ? `${request.prompt} ${imageGeneration.promptSuffix}` : request.prompt,
    size: request.size ?? imageGeneration.defaultSize,
    quality: request.quality ?? imageGeneration.quality,
    aspectRatio: request.aspectRatio ?? imageGeneration.aspectRatio,
    imageSize: request.imageSize ?? imageGeneration.imageSize,
    watermark: request.watermarkEnabled ?? (watermark ? undefined : false),
  }
}

const SIZE = /^(\d{2,5})x(\d{2,5})$/
const RATIO = /^(\d{1,3}):(\d{1,3})$/

function optionsFor(
  { alias, family }: RegisteredProvider,
  model: string,
  wishes: Wishes,
  warnings: string[],
  abortSignal: AbortSignal,
): ImageModelV3CallOptions {
  const { prompt, quality, imageSize, watermark } = wishes
  const bad = (what: string): never => {
    throw new ModelError('format', what, { provider: alias, model })
  }
  if (wishes.size !== undefined && !SIZE.test(wishes.size))
    bad(`The size "${wishes.size.slice(0, 40)}" is not of the form 1024x1024`)
  if (wishes.aspectRatio !== undefined && !RATIO.test(wishes.aspectRatio))
    bad(`The aspect ratio "${wishes.aspectRatio.slice(0, 40)}" is not of the form 16:9`)
  const ratio = wishes.aspectRatio as `${number}:${number}` | undefined
  const size = wishes.size as `${number}x${number}` | undefined
  const base = { prompt, n: 1, seed: undefined, files: undefined, mask: undefined, abortSignal }
  switch (family.name) {
    case 'google': {
      if (quality !== undefined) warnings.push('quality is not known to this family')
      const gemini = model.startsWith('gemini-')
      if (imageSize !== undefined && !gemini) warnings.push('image size is not known to this model')
      // A size is a ratio here.
      const aspectRatio = ratio ?? ratioOf(size)
      const config =
        gemini && imageSize !== undefined
          ? { imageConfig: { imageSize, ...(aspectRatio === undefined ? {} : { aspectRatio }) } }
          : undefined
      return {
        ...base,
        size: undefined,
        aspectRatio,
        providerOptions: (config ? { google: config } : {}) as SharedV3ProviderOptions,
      }
    }
    case 'openai':
      if (imageSize !== undefined) warnings.push('image size is not known to this family')
      return {
        ...base,
        size: size ?? sizeOf(ratio),
        aspectRatio: undefined,
        providerOptions: quality === undefined ? {} : { openai: { quality } },
      }
    default: {
      const own = {
        ...(quality === undefined ? {} : { quality }),
        ...(watermark === undefined ? {} : { watermark }),
        ...(imageSize === undefined ? {} : { image_size: imageSize }),
      }
      return {
        ...base,
        size: size ?? sizeOf(ratio),
        aspectRatio: undefined,
        providerOptions: Object.keys(own).length ? { compatible: own } : {},
      }
    }
  }
}

/** Families that know sizes only make three of them. */
function sizeOf(ratio: `${number}:${number}` | undefined): `${number}x${number}` | undefined {
  if (ratio === undefined) return undefined
  const [width = 1, height = 1] = ratio.split(':').map(Number)
  return width === height ? '1024x1024' : width > height ? '1536x1024' : '1024x1536'
}

/** The nearest ratio that pictures are made in. */
function ratioOf(size: string | undefined): `${number}:${number}` | undefined {
  if (size === undefined) return undefined
  const [width = 1, height = 1] = size.split('x').map(Number)
  const all = ['1:1', '3:4', '4:3', '9:16', '16:9'] as const
  const away = (each: string): number => {
    const [left = 1, right = 1] = each.split(':').map(Number)
    return Math.abs(Math.log(left / right) - Math.log(width / height))
  }
  return all.reduce((best, each) => (away(each) < away(best) ? each : best))
}
