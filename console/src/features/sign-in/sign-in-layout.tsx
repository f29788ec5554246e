import { Link } from '@tanstack/react-router';
import { type FormEvent, type ReactNode, useEffect } from 'react';
import { useLanguage } from '../../i18n/index.ts';
import { chooseLanguage } from '../../platform/index.ts';
import { loadRefusalWords } from '../../platform/refusal-words.ts';
import { Button, Icon } from '../../ui/index.ts';
import './sign-in-layout.css';

/** The layout of the pages before sign-in. */
export function SignInLayout(props: { title: string; intro: string; children: ReactNode }): ReactNode {
  void loadRefusalWords();
  const language = useLanguage();
  useEffect(() => {
    document.title = `${props.title} · Dukkan`;
  }, [props.title]);
  const other = language === 'ar' ? 'en' : 'ar';
  return (
    <main className="sign-in">
      <div className="sign-in-card">
        <Link to="/welcome" className="sign-in-brand">
          <span className="sign-in-mark">
            <Icon name="branches" />
          </span>
          <span>{language === 'ar' ? 'دكان' : 'Dukkan'}</span>
        </Link>
        <div>
          <h1>{props.title}</h1>
          <p className="soft">{props.intro}</p>
        </div>
        {props.children}
      </div>
      <Button look="quiet" onPress={() => chooseLanguage(other)}>
        <span lang={other}>{other === 'ar' ? 'العربية' : 'English'}</span>
      </Button>
    </main>
  );
}

/** A form that the page submits, not the browser. */
export function SignInForm({ onSend, children }: { onSend(): void; children: ReactNode }): ReactNode {
  return (
    <form
      className="sign-in-form"
      noValidate
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        onSend();
      }}
    >
      {children}
    </form>
  );
}
