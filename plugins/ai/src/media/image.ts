import type { ImageModelV3CallOptions, SharedV3ProviderOptions } from '@ai-sdk/provider'
import { omitUndefined } from '@mynah/kernel/util'
import { ModelError } from '../api/errors.js'
import type { Candidate, ImageRequest, ImageResult, MadeImage, Usage } from '../api/models.js'
import type { ProviderConfig } from '../config.js'
import { createFailure } from '../errors/as-model-error.js'
import { NO_USAGE } from '../api/usage.js'
import type { Connection } from '../providers/connection.js'
import type { RegisteredProvider } from '../registry/registry.js'
import { accountImage, ACCOUNT_MODEL } from './account-route.js'
import { mediaTypeOf } from './media-type.js'

/** One image is requested. An answer may have more. */
const MOST_IMAGES = 10

/** The parts of the service that an image call needs. */
export interface ImageHost {
  readonly provider: RegisteredProvider
  readonly watermark: boolean
  readonly signal: AbortSignal
  connect(): Promise<Connection>
}

/** A request with the defaults of the configuration. */
interface Wishes {
  readonly prompt: string
  readonly size: string | undefined
  readonly quality: string | undefined
  readonly aspectRatio: string | undefined
  readonly imageSize: string | undefined
  /** Only when it differs from the provider's default, or was requested. */
  readonly watermark: boolean | undefined
}

/** Returns the model for an image request. Throws `unsupported` when the family makes no images. */
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

/** Makes the image. */
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
  if (made.images.length === 0) throw createFailure('refusal', { provider: alias, model }, 'it made no picture')
  const images = made.images
    .slice(0, MOST_IMAGES)
    .map((data): MadeImage => {
      const bytes = typeof data === 'string' ? new Uint8Array(Buffer.from(data, 'base64')) : data
      return { data: bytes, mediaType: mediaTypeOf(bytes) }
    })
    .filter(({ mediaType }) => mediaType.startsWith('image/'))
  if (images.length === 0) throw createFailure('server', { provider: alias, model }, 'its answer holds no picture')
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

type Ratio = `${number}:${number}`
type Size = `${number}x${number}`
/** The options that differ between families. */
type FamilyOptions = Pick<ImageModelV3CallOptions, 'size' | 'aspectRatio' | 'providerOptions'>

function optionsFor(
  { alias, family }: RegisteredProvider,
  model: string,
  wishes: Wishes,
  warnings: string[],
  abortSignal: AbortSignal,
): ImageModelV3CallOptions {
  assertWellFormed(wishes, { provider: alias, model })
  const base = { prompt: wishes.prompt, n: 1, seed: undefined, files: undefined, mask: undefined, abortSignal }
  return { ...base, ...familyOptions(family.name, model, wishes, warnings) }
}

/** @throws a `format` failure when a size or a ratio is none */
function assertWellFormed({ size, aspectRatio }: Wishes, who: Candidate): void {
  if (size !== undefined && !SIZE.test(size))
    throw new ModelError('format', `The size "${size.slice(0, 40)}" is not of the form 1024x1024`, who)
  if (aspectRatio !== undefined && !RATIO.test(aspectRatio))
    throw new ModelError('format', `The aspect ratio "${aspectRatio.slice(0, 40)}" is not of the form 16:9`, who)
}

function familyOptions(family: string, model: string, wishes: Wishes, warnings: string[]): FamilyOptions {
  const { quality, imageSize, watermark } = wishes
  const ratio = wishes.aspectRatio as Ratio | undefined
  const size = wishes.size as Size | undefined
  if (family === 'google') return googleOptions(model, wishes, warnings)
  const sizeOnly = { size: size ?? sizeOf(ratio), aspectRatio: undefined }
  if (family === 'openai') {
    if (imageSize !== undefined) warnings.push('image size is not known to this family')
    return { ...sizeOnly, providerOptions: quality === undefined ? {} : { openai: { quality } } }
  }
  const own = omitUndefined({ quality, watermark, image_size: imageSize })
  return { ...sizeOnly, providerOptions: Object.keys(own).length ? { compatible: own } : {} }
}

/** Google takes ratios in place of sizes. */
function googleOptions(model: string, wishes: Wishes, warnings: string[]): FamilyOptions {
  const { quality, imageSize } = wishes
  if (quality !== undefined) warnings.push('quality is not known to this family')
  const aspectRatio = (wishes.aspectRatio as Ratio | undefined) ?? ratioOf(wishes.size)
  const isGemini = model.startsWith('gemini-')
  if (imageSize !== undefined && !isGemini) warnings.push('image size is not known to this model')
  const google = { imageConfig: omitUndefined({ imageSize, aspectRatio }) }
  const providerOptions = (isGemini && imageSize !== undefined ? { google } : {}) as SharedV3ProviderOptions
  return { size: undefined, aspectRatio, providerOptions }
}

/** Returns the size for a ratio. Families with sizes have three of them. */
function sizeOf(ratio: `${number}:${number}` | undefined): `${number}x${number}` | undefined {
  if (ratio === undefined) return undefined
  const [width = 1, height = 1] = ratio.split(':').map(Number)
  if (width === height) return '1024x1024'
  return width > height ? '1536x1024' : '1024x1536'
}

/** Returns the nearest supported ratio. */
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
