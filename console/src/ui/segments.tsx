import { type KeyboardEvent, type ReactNode, useRef } from 'react';

/**
 * One of a few options, all visible: a range, a status. Radio buttons to assistive programs, of which arrow keys move the focus. By hand, because the
 * group of react-aria brings its focus scopes and toolbars into the first load of every page.
 */
export function Segments<Value extends string>(props: {
  label: string;
  options: readonly { value: Value; text: ReactNode }[];
  value: Value;
  onChange(value: Value): void;
}): ReactNode {
  const { label, options, value, onChange } = props;
  const group = useRef<HTMLDivElement>(null);
  function press(event: KeyboardEvent<HTMLDivElement>): void {
    const all = Array.from(group.current?.querySelectorAll('button') ?? []);
    const at = all.indexOf(event.target as HTMLButtonElement);
    const forward = document.documentElement.dir === 'rtl' ? 'ArrowLeft' : 'ArrowRight';
    const steps: Record<string, number> = { ArrowLeft: -1, ArrowRight: -1, ArrowUp: -1, ArrowDown: 1, [forward]: 1 };
    const step = steps[event.key];
    if (at === -1 || step === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    all[(at + step + all.length) % all.length]?.focus();
  }
  const entry = options.some((one) => one.value === value) ? value : options[0]?.value;
  return (
    <div ref={group} role="radiogroup" aria-label={label} className="ui-segments" onKeyDown={press}>
      {options.map((one) => (
        // biome-ignore lint/a11y/useSemanticElements: a radio input chooses as the arrow keys move, and each choice reads a list
        <button
          key={one.value}
          type="button"
          role="radio"
          aria-checked={one.value === value}
          className="ui-segment"
          tabIndex={one.value === entry ? 0 : -1}
          onClick={() => one.value !== value && onChange(one.value)}
        >
          {one.text}
        </button>
      ))}
    </div>
  );
}
