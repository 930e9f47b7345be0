// The same as `npm create mynah`.
import { main } from 'create-mynah'
import type { Arguments } from '../arguments.js'

export async function create({ rest, options, values }: Arguments): Promise<number> {
  const flags = Array.from(options).flatMap((name) =>
    values[name] === undefined ? [`--${name}`] : [`--${name}`, values[name]],
  )
  return main([...rest, ...flags])
}
