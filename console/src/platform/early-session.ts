type Login = { access_token: string; expires_in: number };
type Early = { login: Promise<Login | null>; account: Promise<unknown> };

/**
 * The answers to the first two requests of a signed-in user, which public/first-paint.js sends while the scripts are loaded: one after the other
 * they took until 300 ms after the last script. Null: not answered, or refused; the request is then sent again as usual. Each is taken once.
 */
const global = globalThis as { dukkanEarly?: Partial<Early> };
const early = global.dukkanEarly ?? {};
// A token is nowhere where other scripts find it.
delete global.dukkanEarly;

export function takeEarly<Name extends keyof Early>(name: Name): Early[Name] | undefined {
  const taken = early[name] as Early[Name] | undefined;
  delete early[name];
  return taken;
}
