import type { PluginDetail } from '@mynah/contract/types'
import { useWriteBlock } from '../../app/event-stream.js'
import { lazyPart } from '../../lib/lazy-part.js'
import { navigate, useQuery } from '../../lib/router.js'
import { EmptyState } from '../../ui/index.js'
import { Loaded } from '../../ui/parts/loaded.js'
import { Disputes } from '../config/disputes.js'
import { formPart } from '../config/form-part.js'
import { ConfigDraftBar } from '../config/lazy-draft-bar.js'
import type { Mistake } from '../config/mistakes.js'
import type { Section } from '../config/model.js'
import '../config/page.css'
import { focusSetting } from '../config/setting-path.js'
import { useDraftWork } from '../config/use-draft-work.js'
import { useEditing, type Editing } from '../config/use-editing.js'
import { sectionsOfPlugin } from './own-sections.js'
import { t } from './settings-texts.js'

const SectionForm = lazyPart(() => import('../config/form.js').then((module) => module.SectionForm))

export interface EditSettingsProps {
  readonly plugin: PluginDetail
  readonly onReview: () => void
}

/** The forms of the sections of a plugin. They change the draft that Config changes, too. */
export function EditSettings({ plugin, onReview }: EditSettingsProps) {
  const editing = useEditing()
  const query = useQuery({ tab: 'overview', setting: '' })
  const own = sectionsOfPlugin(editing.sections, plugin.name)
  const show = ({ section, setting, line }: Mistake): void => {
    if (line !== undefined) return navigate(`/config?mode=yaml&line=${line}`)
    if (!own.some(({ key }) => key === section))
      return navigate(`/config?section=${encodeURIComponent(section)}&setting=${encodeURIComponent(setting)}`)
    query.set({ setting })
    // The address may be the same as before.
    focusSetting(setting)
  }
  const work = useDraftWork(editing, show, onReview)
  return (
    <div class="own-settings">
      <Disputes editing={editing} />
      <Loaded resource={editing.resource} rows={6}>
        {() =>
          own.length === 0 ? (
            <EmptyState title={t('noSettings')}>{t('noSettingsText')}</EmptyState>
          ) : (
            own.map((section) => (
              <Form key={section.key} editing={editing} section={section} setting={query.values.setting} />
            ))
          )
        }
      </Loaded>
      {editing.dirty ? <ConfigDraftBar editing={editing} work={work} /> : null}
    </div>
  )
}

interface FormProps {
  readonly editing: Editing
  readonly section: Section
  readonly setting: string
}

function Form({ editing, section, setting }: FormProps) {
  const readOnly = useWriteBlock() !== undefined
  const { key, schema } = section
  if (!editing.draft) return null
  return (
    <SectionForm
      {...formPart(editing, editing.draft, key, readOnly)}
      // The page says already of which plugin it is.
      section={{ key, schema, plugin: undefined, folded: [] }}
      sections={editing.sections}
      folded={[]}
      setting={`${setting}.`.startsWith(`${key}.`) ? setting : ''}
      leftOver={undefined}
      onYaml={() => navigate(`/config?section=${encodeURIComponent(key)}&mode=yaml`)}
    />
  )
}
