import { type ReactNode, useState } from 'react';
import { commonWords, useName, useWords } from '../../../i18n/index.ts';
import { Checkbox, Loaded, SearchField } from '../../../ui/index.ts';
import { useTenants } from '../parts/tenants.ts';
import { announcementsWords } from './words.ts';

const SHOWN = 50;

/** Chosen organizations come first, so that a search never hides them. */
export function AudienceChoice(props: {
  chosen: readonly string[];
  onChange(ids: readonly string[]): void;
}): ReactNode {
  const t = useWords(announcementsWords);
  const common = useWords(commonWords);
  const name = useName();
  const [text, setText] = useState('');
  const { chosen, onChange } = props;
  const fits = (value: string) => value.toLowerCase().includes(text.trim().toLowerCase());
  return (
    <Loaded of={useTenants()} rows={3}>
      {({ organizations }) => {
        const shown = organizations
          .filter((one) => chosen.includes(one.organization_id) || fits(one.name_en) || fits(one.name_ar))
          .toSorted((a, b) => Number(chosen.includes(b.organization_id)) - Number(chosen.includes(a.organization_id)))
          .slice(0, Math.max(SHOWN, chosen.length));
        return (
          <fieldset className="announcements-audience">
            <legend className="visually-hidden">{t('audience')}</legend>
            <SearchField label={t('find')} value={text} onChange={setText} />
            <div className="announcements-choices">
              {shown.map((one) => (
                <Checkbox
                  key={one.organization_id}
                  isSelected={chosen.includes(one.organization_id)}
                  onChange={(isChosen) =>
                    onChange(
                      isChosen ? [...chosen, one.organization_id] : chosen.filter((id) => id !== one.organization_id),
                    )
                  }
                >
                  {name(one)}
                </Checkbox>
              ))}
            </div>
            <span className="soft small">{common('selected', { count: chosen.length })}</span>
          </fieldset>
        );
      }}
    </Loaded>
  );
}
