// The actions of the chosen user on messages of a scene, and why the last one failed.
import { useState } from 'react'
import type { MessageActions } from './message-changes.js'
import type { SandboxUser } from './model.js'
import { errorText, type TranscriptStore } from './transcript-store.js'

export function useMessageActions(
  transcripts: TranscriptStore,
  { id, name }: SandboxUser,
): { readonly actions: MessageActions; readonly failure: string | undefined; readonly clearFailure: () => void } {
  const [failure, setFailure] = useState<string>()
  const run = (work: Promise<void>): void => void work.catch((error: unknown) => setFailure(errorText(error)))
  return {
    actions: {
      userId: id,
      onEdit: (message, text) => run(transcripts.edit(message, text)),
      onDelete: (message) => run(transcripts.remove(message)),
      onReact: (message, emoji) => run(transcripts.react(message, { id, name }, emoji)),
    },
    failure,
    clearFailure: () => setFailure(undefined),
  }
}
