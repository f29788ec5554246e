import { defineBench } from './frame/define-bench.ts';
import { openSetting, type Tenant } from './webhooks/setting.ts';
import { deliverBacklog, deliverEvents, postByUndici } from './webhooks/sustained.ts';
export default defineBench('zzwh', {
  rounds: 3, seconds: 2,
  async setup(frame) {
    const setting = await openSetting(frame);
    const busy: Tenant[] = [];
    for (let i = 0; i < 8; i += 1) busy.push(await setting.addTenant('/fast'));
    return { setting, busy };
  },
  cases: [
    { name: 'undici', run: ({ setting }, { seconds }) => postByUndici(setting, seconds) },
    { name: 'waiting', floor: 'undici', run: ({ setting, busy }, { seconds }) => deliverBacklog(setting, busy, seconds * 3000) },
    { name: 'outbox', floor: 'undici', run: ({ setting, busy }, { seconds }) => deliverEvents(setting, busy, seconds * 3000) },
  ],
});
