import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { useQuery } from '../../lib/router.js'
import { Button } from '../../ui/index.js'
import { Segments } from '../../ui/parts/index.js'

export interface ChoiceProps {
  /** The subject of the choice, for screen readers. */
  readonly label: string
  /** The effect of a button. */
  readonly text: string
  readonly options: readonly { readonly value: string; readonly label: string }[]
  /**
   * Renders what follows a choice.
   *
   * @param isPressed whether a button was pressed. A link to a choice and the arrow keys change nothing on the host
   */
  readonly children: (chosen: string, isPressed: boolean) => ComponentChildren
}

/** Buttons for the first choice, which is kept in the address. Later the choice is changed without an effect. */
export function Choice({ label, text, options, children }: ChoiceProps) {
  const query = useQuery({ choice: '' })
  const [pressed, setPressed] = useState<string>()
  const choose = (choice: string): void => query.set({ choice }, { replace: true })
  const { choice } = query.values
  const isKnown = options.some(({ value }) => value === choice)
  return (
    <div class="setup">
      {isKnown ? (
        <>
          <Segments
            label={label}
            value={choice}
            options={options}
            onChange={(next) => {
              setPressed(undefined)
              choose(next)
            }}
          />
          {children(choice, pressed === choice)}
        </>
      ) : (
        <>
          <div class="row setup-choice" role="group" aria-label={label}>
            {options.map((option) => (
              <Button
                key={option.value}
                onClick={() => {
                  setPressed(option.value)
                  choose(option.value)
                }}
              >
                {option.label}
              </Button>
            ))}
          </div>
          <p class="muted">{text}</p>
        </>
      )}
    </div>
  )
}
