import { Link } from '@tanstack/react-router';
import { type ReactNode, useEffect } from 'react';
import { useLanguage, useWords } from '../../i18n/index.ts';
import { chooseLanguage, chooseTheme, useSession } from '../../platform/index.ts';
import { Button, Icon, type IconName } from '../../ui/index.ts';
import { LeadForm } from './lead-form.tsx';
import { Preview } from './preview.tsx';
import './welcome.css';
import { welcomeWords } from './words.ts';

const PARTS = [
  ['orders', 'orders'],
  ['catalog', 'matrix'],
  ['branches', 'branches'],
  ['payments', 'payments'],
  ['forecasts', 'forecasts'],
  ['connect', 'webhooks'],
] as const satisfies readonly (readonly [string, IconName])[];
const STEPS = ['1', '2', '3'] as const;

/** What Dukkan does, for visitors; and a form to ask about it. */
export function WelcomePage(): ReactNode {
  const t = useWords(welcomeWords);
  const title = t('windowTitle');
  useEffect(() => {
    document.title = title;
  }, [title]);
  return (
    <div className="welcome">
      <WelcomeTop />
      <main>
        <section className="welcome-hero">
          <div className="welcome-words">
            <h1>{t('headline')}</h1>
            <p>{t('intro')}</p>
            <div className="welcome-actions">
              <a className="ui-button" data-look="primary" href="#contact">
                {t('talk')}
              </a>
              <a className="ui-button" href="/docs">
                {t('reference')}
              </a>
            </div>
          </div>
          <Preview />
        </section>
        <section className="welcome-section" aria-labelledby="does">
          <h2 id="does">{t('does')}</h2>
          <ul className="welcome-parts">
            {PARTS.map(([part, icon]) => (
              <li key={part}>
                <span className="welcome-part-icon">
                  <Icon name={icon} />
                </span>
                <h3>{t(`${part}.title`)}</h3>
                <p className="soft">{t(`${part}.text`)}</p>
              </li>
            ))}
          </ul>
        </section>
        <section className="welcome-section" aria-labelledby="starts">
          <h2 id="starts">{t('starts')}</h2>
          <ol className="welcome-steps">
            {STEPS.map((step) => (
              <li key={step}>
                <span className="welcome-step" aria-hidden="true">
                  {step}
                </span>
                <div>
                  <h3>{t(`step.${step}`)}</h3>
                  <p className="soft">{t(`stepText.${step}`)}</p>
                </div>
              </li>
            ))}
          </ol>
        </section>
        <section className="welcome-section welcome-contact" id="contact" aria-labelledby="contact-title">
          <div>
            <h2 id="contact-title">{t('contact')}</h2>
            <p className="soft">{t('contactText')}</p>
          </div>
          <div className="welcome-card">
            <LeadForm />
          </div>
        </section>
      </main>
      <footer className="welcome-foot soft small">
        <span>{t('name')}</span>
        <a href="/docs">{t('reference')}</a>
        <EnterLink />
      </footer>
    </div>
  );
}

function WelcomeTop(): ReactNode {
  const t = useWords(welcomeWords);
  const language = useLanguage();
  const other = language === 'ar' ? 'en' : 'ar';
  return (
    <header className="welcome-top">
      <span className="welcome-brand">
        <span className="welcome-mark">
          <Icon name="branches" />
        </span>
        {t('name')}
      </span>
      <span className="welcome-space" />
      <a className="welcome-link" href="/docs">
        {t('reference')}
      </a>
      <Button look="quiet" icon="sun" aria-label={t('theme')} onPress={turnTheme} />
      <Button look="quiet" onPress={() => chooseLanguage(other)}>
        {/* Each language is named in its own script: its readers may not read the other. */}
        <span lang={other}>{other === 'ar' ? 'العربية' : 'English'}</span>
      </Button>
      <EnterLink button />
    </header>
  );
}

/** A signed-in user goes straight to the console. */
function EnterLink({ button = false }: { button?: boolean }): ReactNode {
  const t = useWords(welcomeWords);
  const isIn = useSession().phase === 'in';
  return (
    <Link to={isIn ? '/' : '/sign-in'} {...(button && { className: 'ui-button' })}>
      {isIn ? t('open') : t('signIn')}
    </Link>
  );
}

function turnTheme(): void {
  const isDark =
    document.documentElement.dataset.theme === 'dark' ||
    (document.documentElement.dataset.theme === undefined && matchMedia('(prefers-color-scheme: dark)').matches);
  chooseTheme(isDark ? 'light' : 'dark');
}
