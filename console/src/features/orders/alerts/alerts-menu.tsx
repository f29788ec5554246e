import type { ReactNode } from 'react';
import { useWords } from '../../../i18n/index.ts';
import { Menu, showToast } from '../../../ui/index.ts';
import { useAlertSettings } from './alert-settings.ts';
import { playSound } from './play-sound.ts';
import { alertWords } from './words.ts';

/** Turns sound and browser notifications on and off. The browser is asked for permission here and nowhere else. */
export function AlertsMenu(): ReactNode {
  const t = useWords(alertWords);
  const [{ sound, notice }, change] = useAlertSettings();
  async function toggleNotice(): Promise<void> {
    if (notice) return change({ notice: false });
    const permission = 'Notification' in window ? await Notification.requestPermission() : 'denied';
    if (permission === 'granted') change({ notice: true });
    else showToast({ tone: 'bad', text: t('blocked') });
  }
  return (
    <Menu
      label={t('alerts')}
      button={{ icon: 'bell', 'aria-label': t('alerts') }}
      groups={[
        {
          id: 'alerts',
          title: t('alerts'),
          entries: [
            {
              id: 'sound',
              text: t(sound ? 'soundOff' : 'soundOn'),
              note: t('soundNote'),
              onAction: () => {
                change({ sound: !sound });
                // Heard once, so that the volume can be set.
                if (!sound) void playSound().catch(() => {});
              },
            },
            {
              id: 'notice',
              text: t(notice ? 'noticeOff' : 'noticeOn'),
              note: t('soundNote'),
              onAction: () => void toggleNotice(),
            },
          ],
        },
      ]}
    />
  );
}
