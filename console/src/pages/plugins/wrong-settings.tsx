import type { PluginDetail } from '@mynah/contract/types'
import { useQuery } from '../../lib/router.js'
import { mistakesIn, type Mistake } from '../config/mistakes.js'
import { describeMistake } from '../config/problems.js'
import { focusSetting } from '../config/setting-path.js'
import { useEditing } from '../config/use-editing.js'
import { sectionsOfPlugin } from './own-sections.js'
import { countSettings } from './own-settings.js'
import { t } from './settings-texts.js'

export interface WrongSettingsProps {
  readonly plugin: PluginDetail
}

/** Lists all settings of a plugin that are not valid, each with a way to its field. */
export function WrongSettings({ plugin }: WrongSettingsProps) {
  const editing = useEditing()
  const query = useQuery({ tab: 'overview', setting: '' })
  const own = sectionsOfPlugin(editing.sections, plugin.name)
  const mistakes = mistakesIn(
    editing.problems,
    own.map(({ key }) => key),
  )
  if (mistakes.length === 0) return null
  const { wrong, all } = countSettings(own, editing.problems)
  const show = ({ setting }: Mistake): void => {
    query.set({ tab: 'settings', setting })
    // The form may be shown already.
    focusSetting(setting)
  }
  return (
    <div class="wrong-settings">
      <p>{t('wrongSettings', { wrong, all })}</p>
      <ul>
        {mistakes.map((mistake) => (
          <li key={describeMistake(mistake)}>
            <button type="button" class="linkish bad break" onClick={() => show(mistake)}>
              {describeMistake(mistake)}
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}
