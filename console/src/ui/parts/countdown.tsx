// Time that is left, counted down each second.
import { timeLeft } from '../../kit/time-format.js'
import { useNow } from '../../kit/use-now.js'

export function Countdown({ until }: { readonly until: number }) {
  const now = useNow(1000)
  return (
    <span role="timer" class={until - now < 120_000 ? 'countdown soon' : 'countdown'}>
      {timeLeft(until - now)}
    </span>
  )
}
