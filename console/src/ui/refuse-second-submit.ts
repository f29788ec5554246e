/**
 * A form that is being sent is not sent again. Its button keeps the keyboard while it waits, so it is no longer a
 * submit button, and a browser sends a form of one field without one when Enter is pressed.
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
