import type { Schemas } from '@dukkan/sdk';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { commonWords, useName, useWords } from '../../i18n/index.ts';
import { useExplainError, useMay } from '../../platform/index.ts';
import { FileButton } from '../../ui/file-button.tsx';
import { Button, Card, Icon, showToast } from '../../ui/index.ts';
import { useChangeLatest } from './use-change-branch.ts';
import { branchesWords } from './words.ts';

type Branch = Schemas['Branch'];
const KINDS = ['image/jpeg', 'image/png', 'image/webp', 'image/gif'];
const MOST_BYTES = 10 * 1024 * 1024;
const MOST_PHOTOS = 20;

export function BranchImages({ branch }: { branch: Branch }): ReactNode {
  const t = useWords(branchesWords);
  const common = useWords(commonWords);
  const name = useName();
  const explain = useExplainError();
  const isReadOnly = !useMay()('update:Branches');
  const change = useChangeLatest(branch);
  const title = name(branch) || branch.iv_id;
  const saving = useMutation({
    mutationFn: change,
    onSuccess: () => showToast({ tone: 'good', text: common('saved') }),
    onError: (error) => {
      const { title: text, hint } = explain(error);
      showToast({ tone: 'bad', text, detail: hint });
    },
  });
  /** Checks the size before the upload, which the service would refuse after 10 MB. */
  function refusal(files: readonly File[]): string | undefined {
    const wrong = files.find(({ type }) => !KINDS.includes(type));
    if (wrong !== undefined) return t('wrongKind', { name: wrong.name });
    const large = files.find(({ size }) => size > MOST_BYTES);
    return large === undefined ? undefined : t('tooLarge', { name: large.name });
  }
  function send(field: 'hero_image' | 'banner_image' | 'photos', files: readonly File[]): void {
    const isTooMany = field === 'photos' && branch.photos.length + files.length > MOST_PHOTOS;
    const problem = isTooMany ? t('tooMany') : refusal(files);
    if (problem !== undefined) {
      showToast({ tone: 'bad', text: problem });
      return;
    }
    saving.mutate((latest) => {
      const form = new FormData();
      if (field === 'photos') form.append('photos', JSON.stringify(latest.photos));
      for (const file of files) form.append(field, file);
      return form;
    });
  }
  const one = (field: 'hero_image' | 'banner_image', what: string) => (
    <OneImage
      what={what}
      address={branch[field]}
      alt={t('imageOf', { what, branch: title })}
      isReadOnly={isReadOnly}
      isBusy={saving.isPending}
      onFile={(files) => send(field, files)}
      onRemove={() => saving.mutate(() => ({ [field]: null }))}
    />
  );
  return (
    <Card title={t('images')}>
      <div className="branch-images">
        {one('hero_image', t('hero'))}
        {one('banner_image', t('banner'))}
      </div>
      <section className="branch-photos" aria-label={t('photos')}>
        <header>
          <h3>{t('photos')}</h3>
          {!isReadOnly && (
            <FileButton
              accepts={KINDS}
              several
              icon="plus"
              isPending={saving.isPending}
              onFiles={(files) => send('photos', files)}
            >
              {t('addPhotos')}
            </FileButton>
          )}
        </header>
        {branch.photos.length === 0 ? (
          <p className="soft small">{t('noPhotos')}</p>
        ) : (
          <ul>
            {branch.photos.map((address, index) => (
              <li key={address}>
                <img src={address} alt={t('photoOf', { number: index + 1, branch: title })} loading="lazy" />
                {!isReadOnly && (
                  <Button
                    size="small"
                    icon="close"
                    aria-label={t('removePhoto', { number: index + 1 })}
                    isPending={saving.isPending}
                    onPress={() =>
                      saving.mutate((latest) => ({ photos: latest.photos.filter((other) => other !== address) }))
                    }
                  />
                )}
              </li>
            ))}
          </ul>
        )}
      </section>
      {!isReadOnly && <p className="soft small">{t('imageRules')}</p>}
    </Card>
  );
}

function OneImage(props: {
  what: string;
  address: string | null;
  alt: string;
  isReadOnly: boolean;
  isBusy: boolean;
  onFile(files: File[]): void;
  onRemove(): void;
}): ReactNode {
  const t = useWords(branchesWords);
  const { what, address, isReadOnly, isBusy } = props;
  return (
    <figure className="branch-image">
      <figcaption className="small soft">{what}</figcaption>
      {address === null ? (
        <div className="branch-no-image">
          <Icon name="picture" />
        </div>
      ) : (
        <img src={address} alt={props.alt} loading="lazy" />
      )}
      {!isReadOnly && (
        <div className="branch-image-tools">
          <FileButton
            accepts={KINDS}
            isPending={isBusy}
            aria-label={`${what}: ${t(address === null ? 'upload' : 'replace')}`}
            onFiles={props.onFile}
          >
            {t(address === null ? 'upload' : 'replace')}
          </FileButton>
          {address !== null && (
            <Button
              size="small"
              look="quiet"
              isPending={isBusy}
              aria-label={`${what}: ${t('remove')}`}
              onPress={props.onRemove}
            >
              {t('remove')}
            </Button>
          )}
        </div>
      )}
    </figure>
  );
}
