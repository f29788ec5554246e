/**
 * Prevents a second submit while the first is pending. The pending button keeps the focus and is then no submit button, and
 * browsers submit a form of one field without a submit button when Enter is pressed.
 */
export function refuseSecondSubmit(): void {
  document.addEventListener('submit', refuseWhileWaiting, { capture: true });
}

function refuseWhileWaiting(event: SubmitEvent): void {
  const form = event.target;
  if (!(form instanceof HTMLFormElement)) return;
  if (![...form.elements].some((element) => element.hasAttribute('data-pending'))) return;
  event.preventDefault();
  event.stopImmediatePropagation();
}
