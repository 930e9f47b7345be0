import { firstReason } from '../first-reason.js'
import { HOLE, displayShape, type Arg } from '../words.js'

type FileCheck = (file: Arg) => string | undefined

/** Returns why a text that is sent away names a file that may not leave the machine. `denyFile` checks the path. */
export function denyUpload(text: Arg, option: string, denyFile: FileCheck): string | undefined {
  const { shape } = text
  const name = option.replace(/^--?/, '')
  if (name === 'F' || name === 'form' || name === 'field') return denyForm(text, denyFile)
  if (/^(?:w|write-out)$/.test(name) && /%output|%\{(?:stderr_to|output)/.test(shape))
    return `${option} would write a file`
  if (name === 'variable' && shape.startsWith('%')) return `${option} would read the environment`
  // A computed text may begin with an at sign.
  if (shape.startsWith(HOLE) && text.sources[0] !== 'arithmetic')
    return `${displayShape(text)} may name a file that would be sent`
  const file = fileIn(shape, name)
  if (file === undefined || file === '-') return undefined
  const at = shape.lastIndexOf(file)
  const hasPieces = text.pattern.length === shape.length
  return denyFile({ ...fileArgOf(text, file), pattern: hasPieces ? text.pattern.slice(at, at + file.length) : file })
}

/** Returns the file that a text names, by the option that it belongs to. */
function fileIn(shape: string, name: string): string | undefined {
  if (/^(?:T|upload-file|post-file|body-file)$/.test(name)) return shape
  if (name === 'b' || name === 'cookie') return shape.includes('=') ? undefined : shape
  if (name === 'data-urlencode' || name === 'url-query' || name === 'variable') return /^[^=]*@(.*)/.exec(shape)?.[1]
  return shape.startsWith('@') ? shape.slice(1) : undefined
}

/** Checks a field of a form, which may name several files, in quotes, and take headers from files. */
function denyForm(text: Arg, denyFile: FileCheck): string | undefined {
  const { shape } = text
  const named = shape.slice(shape.indexOf('=') + 1).matchAll(/(?:^|[;,=])\s*"?[@<]"?([^";,]*)/g)
  for (const [, path = ''] of named) {
    const rest = shape.slice(shape.indexOf(path) + path.length).split(/[,;]/)
    const others = shape.includes(',') ? rest.map((piece) => piece.replaceAll('"', '')) : []
    const files = [path, ...others].filter((file) => file !== '' && file !== '-')
    const reason = firstReason(files, (file) => denyFile(fileArgOf(text, file)))
    if (reason !== undefined) return reason
  }
  return undefined
}

function fileArgOf(text: Arg, file: string): Arg {
  return { ...text, text: file, shape: file, pattern: file, value: text.value === undefined ? undefined : file }
}
