import type { ReactNode } from 'react';
import { FileTrigger } from 'react-aria-components/FileTrigger';
import { Button } from './button.tsx';
import type { IconName } from './icon.tsx';

/** Asks for files of the machine. */
export function FileButton(props: {
  accepts: readonly string[];
  several?: boolean;
  isPending?: boolean;
  icon?: IconName;
  'aria-label'?: string;
  onFiles(files: File[]): void;
  children: ReactNode;
}): ReactNode {
  const { accepts, several = false, onFiles, children, ...button } = props;
  return (
    <FileTrigger
      acceptedFileTypes={accepts}
      allowsMultiple={several}
      onSelect={(files) => files !== null && files.length > 0 && onFiles([...files])}
    >
      <Button size="small" {...button}>
        {children}
      </Button>
    </FileTrigger>
  );
}
