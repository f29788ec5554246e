-- The normalised status an order had before it took on a word that no status is known by; null while its status is a
-- known one, and where it never had one. What may follow an unknown word is judged by it. Orders that stand at an unknown
-- word today keep the freedom they had.
alter table orders add column last_known_status text;
