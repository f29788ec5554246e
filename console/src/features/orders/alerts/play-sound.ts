/** Two rising tones, in hertz. */
const TONES = [660, 880];
const TONE_SECONDS = 0.16;
const VOLUME = 0.15;

let context: AudioContext | undefined;

/** Generated, so that no file is loaded. Browsers play nothing before the first click on a page: then it stays silent. */
export async function playSound(): Promise<void> {
  context ??= new AudioContext();
  if (context.state === 'suspended') await context.resume();
  const { currentTime, destination } = context;
  for (const [index, hertz] of TONES.entries()) {
    const tone = context.createOscillator();
    const gain = context.createGain();
    const start = currentTime + index * TONE_SECONDS;
    tone.frequency.value = hertz;
    gain.gain.setValueAtTime(VOLUME, start);
    gain.gain.exponentialRampToValueAtTime(0.001, start + TONE_SECONDS);
    tone.connect(gain).connect(destination);
    tone.start(start);
    tone.stop(start + TONE_SECONDS);
  }
}
