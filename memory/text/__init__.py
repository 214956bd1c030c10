"""Reading text without a model: words, dates, cues and similarity, in Chinese and English.

Pure functions over strings: no clock, no files, no memory.
"""
