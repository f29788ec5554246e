import { type ReactNode, useState } from 'react';
import { STEP } from './pull.ts';
import { readTime, timeText } from './week.ts';

const STEPS: Record<string, number> = { ArrowUp: STEP, ArrowDown: -STEP, PageUp: 60, PageDown: -60 };

/** A time as one writes it: 9, 930, 9:30, 9 pm; arrow keys move it by a quarter of an hour, page keys by an hour. On blur, invalid text is reverted. */
export function TimeInput(props: {
  label: string;
  minute: number;
  isWrong: boolean;
  onChange(minute: number): void;
  onStep(by: number): void;
}): ReactNode {
  const { label, minute, isWrong, onChange, onStep } = props;
  const shown = timeText(minute);
  // Set only during typing. A copy set by an effect would lag behind the shown time, and a field left before the effect runs would restore the old time.
  const [typed, setTyped] = useState<string>();
  function take(text: string): void {
    const read = readTime(text);
    setTyped(undefined);
    if (read !== undefined && timeText(read) !== shown) onChange(read);
  }
  return (
    <input
      className="ui-input ltr hours-input"
      aria-label={label}
      aria-invalid={isWrong}
      data-invalid={isWrong || undefined}
      inputMode="numeric"
      value={typed ?? shown}
      onFocus={(event) => event.currentTarget.select()}
      onChange={(event) => setTyped(event.currentTarget.value)}
      onBlur={(event) => take(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === 'Enter') take(event.currentTarget.value);
        if (event.key === 'Escape') setTyped(undefined);
        const step = STEPS[event.key];
        if (step === undefined) return;
        event.preventDefault();
        setTyped(undefined);
        onStep(step);
      }}
    />
  );
}
