import { Parser } from 'htmlparser2'

export interface XmlHandlers {
  readonly open?: (name: string, attributes: Readonly<Record<string, string>>) => void
  readonly close?: (name: string) => void
  readonly text?: (text: string) => void
}

const local = (name: string): string => name.slice(name.indexOf(':') + 1)

/** Reads XML from its beginning to its end. Names are without their prefix. Entities of the document stay. */
export function readXml(xml: string, { open, close, text }: XmlHandlers): void {
  const parser = new Parser(
    {
      onopentag: (name, attributes) => open?.(local(name), attributes),
      onclosetag: (name) => close?.(local(name)),
      ontext: (piece) => text?.(piece),
    },
    { xmlMode: true },
  )
  parser.write(xml)
  parser.end()
}
