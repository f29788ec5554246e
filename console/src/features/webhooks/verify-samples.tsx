import type { ReactNode } from 'react';
import { useWords } from '../../i18n/index.ts';
import { CodeBlock } from '../../ui/code-block.tsx';
import { Tabs } from '../../ui/index.ts';
import go from './samples/go.txt?raw';
import php from './samples/php.txt?raw';
import python from './samples/python.txt?raw';
import typescript from './samples/typescript.txt?raw';
import { webhooksWords } from './words.ts';

const SAMPLES = [
  ['TypeScript', typescript],
  ['Python', python],
  ['PHP', php],
  ['Go', go],
] as const;

export function VerifySamples(): ReactNode {
  const t = useWords(webhooksWords);
  return (
    <Tabs
      label={t('verify')}
      tabs={SAMPLES.map(([title, text]) => ({ id: title, title, content: <CodeBlock label={title} text={text} /> }))}
    />
  );
}
