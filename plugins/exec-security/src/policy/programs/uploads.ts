// Files whose content an option of curl, wget or gh sends away.
import { HOLE, displayShape, type Arg } from '../words.js'

/** Why what `@` names in a text that is sent is not a file that may leave, or undefined; `refuse` decides on its path. */
export function denyUpload(text: Arg, option: string, refuse: (file: Arg) => string | undefined): string | undefined {
  const { shape } = text
  const name = option.replace(/^--?/, '')
  let file: string | undefined
  if (name === 'F' || name === 'form' || name === 'field') {
    // Quotes, several files and headers from files: each of them is one.
    for (const [, path = ''] of shape.slice(shape.indexOf('=') + 1).matchAll(/(?:^|[;,=])\s*"?[@<]"?([^";,]*)/g)) {
      for (const part of shape.includes(',')
        ? [
            path,
            ...shape
              .slice(shape.indexOf(path) + path.length)
              .split(/[,;]/)
              .map((piece) => piece.replaceAll('"', '')),
          ]
        : [path]) {
        const problem =
          part === '' || part === '-'
            ? undefined
            : refuse({
                ...text,
                text: part,
                shape: part,
                pattern: part,
                value: text.value === undefined ? undefined : part,
              })
        if (problem !== undefined) return problem
      }
    }
    return undefined
  }
  if (name === 'w' || name === 'write-out') {
    if (/%output|%\{(?:stderr_to|output)/.test(shape)) return `${option} would write a file`
  }
  if (/^(?:T|upload-file|post-file|body-file)$/.test(name)) file = shape
  else if (name === 'b' || name === 'cookie') file = shape.includes('=') ? undefined : shape
  else if (name === 'data-urlencode' || name === 'url-query' || name === 'variable')
    file = /^[^=]*@(.*)/.exec(shape)?.[1]
  else if (shape.startsWith('@')) file = shape.slice(1)
  if (name === 'variable' && shape.startsWith('%')) return `${option} would read the environment`
  // What is only known when it runs may begin with an at sign, unless something else does.
  if (shape.startsWith(HOLE) && text.sources[0] !== 'arithmetic')
    return `${displayShape(text)} may name a file that would be sent`
  if (file === undefined || file === '-') return undefined
  const at = shape.lastIndexOf(file)
  return refuse({
    ...text,
    text: file,
    shape: file,
    pattern: text.pattern.length === shape.length ? text.pattern.slice(at, at + file.length) : file,
    value: text.value === undefined ? undefined : file,
  })
}
