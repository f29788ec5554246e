import type { SettingReader } from '../../../platform/config.ts';

export type CommercialSettings = {
  /**
   * Whether months are charged automatically and organizations that do not pay are suspended. An operator that runs the
   * service only for its own shops turns it off; commands and payments by hand still work.
   */
  chargesMonths: boolean;
};

export function readCommercialSettings({ flag }: SettingReader): CommercialSettings {
  return { chargesMonths: flag('DUKKAN_BILLING', true) };
}
