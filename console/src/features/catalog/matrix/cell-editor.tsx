import { type KeyboardEvent, type ReactNode, useRef, useState } from 'react';

export type Step = 'up' | 'down' | 'forward' | 'back';
export type Editing = {
  text: string;
  /** Started by typing: the up and down arrows move to the next cell, as in spreadsheets. */
  isTyped: boolean;
  /** Why the value was rejected. */
  wrong?: string;
};

export function CellEditor(props: {
  editing: Editing;
  label: string;
  isNumber: boolean;
  /** Without a step: the focus moved elsewhere. */
  onCommit(text: string, step: Step | undefined): void;
  onCancel(): void;
}): ReactNode {
  const { editing, onCommit, onCancel } = props;
  const [text, setText] = useState(editing.text);
  const isOver = useRef(false);
  function end(act: () => void): void {
    isOver.current = true;
    act();
    // A rejected value keeps the editor open.
    queueMicrotask(() => {
      isOver.current = false;
    });
  }
  function press(event: KeyboardEvent): void {
    event.stopPropagation();
    if (event.nativeEvent.isComposing) return;
    const step = stepOf(event, editing.isTyped);
    if (step !== undefined) end(() => onCommit(text, step));
    else if (event.key === 'Escape') end(onCancel);
    else return;
    event.preventDefault();
  }
  return (
    <>
      <input
        // biome-ignore lint/a11y/noAutofocus: the cell was opened to type in it
        autoFocus
        className="matrix-input ltr"
        aria-label={props.label}
        aria-invalid={editing.wrong !== undefined}
        inputMode={props.isNumber ? 'decimal' : 'text'}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onFocus={(event) => !editing.isTyped && event.currentTarget.select()}
        onKeyDown={press}
        onClick={(event) => event.stopPropagation()}
        onCopy={(event) => event.stopPropagation()}
        onPaste={(event) => event.stopPropagation()}
        onBlur={() => !isOver.current && onCommit(text, undefined)}
      />
      {editing.wrong !== undefined && (
        <span role="alert" className="matrix-wrong">
          {editing.wrong}
        </span>
      )}
    </>
  );
}

function stepOf({ key, shiftKey }: KeyboardEvent, isTyped: boolean): Step | undefined {
  if (key === 'Enter') return shiftKey ? 'up' : 'down';
  if (key === 'Tab') return shiftKey ? 'back' : 'forward';
  if (isTyped && key === 'ArrowUp') return 'up';
  if (isTyped && key === 'ArrowDown') return 'down';
  return undefined;
}
