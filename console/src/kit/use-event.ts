import { useEffect, useRef } from 'preact/hooks'
import { host } from '../app/host.js'

type Listen = (type: string, listener: (data: unknown) => void) => () => void

/** Calls `listener` with the data of each event of `type` while the component is mounted. */
export function useEvent<T>(type: string, listener: (data: T) => void): void {
  const latest = useRef(listener)
  latest.current = listener
  useEffect(() => {
    const { events } = host()
    return (events.on as unknown as Listen).call(events, type, (data) => latest.current(data as T))
  }, [type])
}
