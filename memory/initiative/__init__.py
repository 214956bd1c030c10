"""What she does on her own account: reminders she was asked for, as records and plans."""
